//! Try.
fn main() {
    use sempre_diagrams::*;
    let mut args = std::env::args().skip(1);
    let fam = args.next().unwrap();
    let n: u32 = args.next().unwrap().parse().unwrap();
    let net = sempre_models::generate::family(&fam).unwrap().net(n).unwrap();
    let which = args.next().unwrap_or("best".into());
    let t = std::time::Instant::now();
    let m = Manager::new(Options::default());
    let sup: Vec<Vec<usize>> = net
        .transitions()
        .map(|t| net.inputs(t).iter().chain(net.outputs(t)).map(|p| p.0.0 as usize).collect())
        .collect();
    let mut order = match which.trim_start_matches('-') {
        "best" => order::best(net.place_count(), &sup),
        w => order::Heuristic::ALL
            .iter()
            .find(|h| h.name() == w)
            .unwrap()
            .order(net.place_count(), &sup),
    };
    if which.starts_with('-') {
        order.reverse();
    }
    let cost = order::cost(&order, &sup);
    let e = sempre_symbolic::net::encode(
        &m,
        &net,
        order.into_iter().map(|i| sempre_models::petri::PlaceId(i as u32)).collect(),
    );
    let to = t.elapsed();
    let r = m.group(&e.events).reach(&e.initial, Strategy::Saturation);
    let c = r.count().to_string();
    println!(
        "{fam} {n} {which}: {} states, {} nodes, peak {} {:?} order {to:?} {:?}",
        if c.len() > 20 { format!("e{}", c.len() - 1) } else { c },
        r.nodes(),
        m.usage().peak_nodes,
        t.elapsed(),
        cost
    );
}
