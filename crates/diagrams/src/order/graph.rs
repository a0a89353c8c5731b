//! The graph of variables and events for bandwidth-reducing orders.

/// Nodes are the variables, then the events; an event is adjacent to the variables of its support.
pub(super) struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Graph {
    pub(super) fn of(variables: usize, supports: &[Vec<usize>]) -> Self {
        let mut lists = vec![Vec::new(); variables + supports.len()];
        for (event, support) in supports.iter().enumerate() {
            for &variable in support {
                lists[variable].push(variables + event);
                lists[variables + event].push(variable);
            }
        }
        let mut graph = Graph { starts: vec![0], neighbours: Vec::new() };
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            graph.neighbours.extend(list);
            graph.starts.push(graph.neighbours.len());
        }
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[self.starts[node]..self.starts[node + 1]]
    }

    pub(super) fn degree(&self, node: usize) -> usize {
        self.neighbours(node).len()
    }

    /// Returns all reachable nodes with their distances, nearest first.
    pub(super) fn distances(&self, from: usize, poll: &dyn Fn()) -> Vec<(usize, usize)> {
        let mut seen = vec![false; self.len()];
        let mut found = vec![(from, 0)];
        seen[from] = true;
        let mut next = 0;
        while next < found.len() {
            poll();
            let (node, distance) = found[next];
            next += 1;
            for &neighbour in self.neighbours(node) {
                if !std::mem::replace(&mut seen[neighbour], true) {
                    found.push((neighbour, distance + 1));
                }
            }
        }
        found
    }

    /// Returns two distant nodes of the component of `node`: the ends of a path that alternating
    /// searches do not extend (George and Liu 1979).
    pub(super) fn ends(&self, node: usize, poll: &dyn Fn()) -> (usize, usize) {
        let mut start = node;
        let mut length = 0;
        loop {
            let found = self.distances(start, poll);
            // Among the farthest nodes, one with few neighbours.
            let farthest = found.last().map_or(0, |&(_, distance)| distance);
            let end = (found.iter().rev())
                .take_while(|&&(_, distance)| distance == farthest)
                .map(|&(node, _)| node)
                .min_by_key(|&node| (self.degree(node), node))
                .unwrap_or(start);
            if farthest <= length {
                return (start, end);
            }
            length = farthest;
            start = end;
        }
    }
}
