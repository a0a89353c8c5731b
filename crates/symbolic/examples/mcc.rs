//! Try.
use sempre_diagrams::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap();
    let which = args.next().unwrap_or("best".into());
    let t = std::time::Instant::now();
    let model = sempre_models::Model::open(std::path::Path::new(&path), None).unwrap();
    let sempre_models::Model::Net(net) = model else { panic!() };
    let load = t.elapsed();
    let m = Manager::new(Options { memory: 6 << 30, poll: None });
    let sup: Vec<Vec<usize>> = net.transitions().map(|t| net.inputs(t).iter().chain(net.outputs(t)).map(|p| p.0.0 as usize).collect()).collect();
    let mut order = match which.trim_start_matches('-') { "best" => order::best(net.place_count(), &sup), w => order::Heuristic::ALL.iter().find(|h| h.name()==w).unwrap().order(net.place_count(), &sup)};
    if which.starts_with('-') { order.reverse(); }
    let to = t.elapsed();
    let e = sempre_symbolic::net::encode(&m, &net, order.into_iter().map(|i| sempre_models::petri::PlaceId(i as u32)).collect());
    let g = m.group(&e.events);
    let r = g.reach(&e.initial, Strategy::Saturation);
    let c = r.count().to_string();
    println!("{path}\t{which}\t{c}\t{}\t{}\tload {load:?} order {:?} total {:?} P{} T{}", r.nodes(), m.usage().peak_nodes, to-load, t.elapsed(), net.place_count(), net.transition_count());
}
