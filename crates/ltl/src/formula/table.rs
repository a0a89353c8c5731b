//! The table of all live formulas (hash-consing).
//!
//! Each node is stored once. The table holds it weakly, so a node leaves the table when its last
//! handle is dropped. Nodes have numbers that are never reused: addresses would confuse a dead node
//! with a new one at the same place.

use super::{Formula, Node};
use crate::op::Op;
use crate::prop::Prop;
use hashbrown::HashTable;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

const SHARDS: usize = 16;

struct Entry {
    hash: u64,
    id: u64,
    node: Weak<Node>,
}

static TABLE: LazyLock<[Mutex<HashTable<Entry>>; SHARDS]> =
    LazyLock::new(|| std::array::from_fn(|_| Mutex::new(HashTable::new())));

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// The shard depends on bits that its hash table does not use first.
fn shard(hash: u64) -> MutexGuard<'static, HashTable<Entry>> {
    // No code between lock and unlock can panic during a change, so a poisoned shard is still
    // consistent.
    TABLE[(hash >> 48) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the unique formula with this root, name and operands (in canonical order).
pub(super) fn intern(op: Op, prop: Option<Prop>, children: SmallVec<[Formula; 2]>) -> Formula {
    let hash = structural_hash(op, prop.as_ref(), &children);
    // Handles of other nodes with the same hash. Dropping one may lock the shard, so they must
    // outlive the guard.
    let mut collisions: SmallVec<[Arc<Node>; 1]> = SmallVec::new();
    let mut shard = shard(hash);
    for entry in shard.iter_hash(hash) {
        if entry.hash != hash {
            continue;
        }
        if let Some(node) = entry.node.upgrade() {
            if node.op == op && node.prop == prop && node.children == children {
                drop(shard);
                return Formula(node);
            }
            collisions.push(node);
        }
    }
    let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
    let node = Arc::new(Node::new(hash, id, op, prop, children));
    let entry = Entry { hash, id, node: Arc::downgrade(&node) };
    shard.insert_unique(hash, entry, |entry| entry.hash);
    drop(shard);
    Formula(node)
}

/// Removes a node without handles from the table.
pub(super) fn forget(hash: u64, id: u64) {
    let mut shard = shard(hash);
    if let Ok(entry) = shard.find_entry(hash, |entry| entry.id == id) {
        entry.remove();
    }
    // A table that was once large frees its memory when it is nearly empty.
    if shard.capacity() > 4096 && shard.len() < shard.capacity() / 8 {
        let keep = shard.len() * 2;
        shard.shrink_to(keep, |entry| entry.hash);
    }
}

/// Returns the number of distinct live formulas.
pub(super) fn live() -> usize {
    TABLE.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
}

/// Hashes the structure, with the same result in every run and on every machine.
fn structural_hash(op: Op, prop: Option<&Prop>, children: &[Formula]) -> u64 {
    let mut hash = mix(0x51_7c_c1_b7_27_22_0a_95, op as u64);
    if let Some(prop) = prop {
        for chunk in prop.name().as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            hash = mix(hash, u64::from_le_bytes(bytes));
        }
        hash = mix(hash, prop.name().len() as u64);
    }
    for child in children {
        hash = mix(hash, child.0.hash);
    }
    hash
}

/// Folded multiplication: every bit of the result depends on every bit of both arguments.
fn mix(hash: u64, value: u64) -> u64 {
    let product =
        u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(value ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ ((product >> 64) as u64) ^ hash.rotate_left(23)
}
