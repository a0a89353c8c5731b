//! Feeds any bytes to the reader of coloured nets, and unfolds what it reads.

#![no_main]

mod coloured_nets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| coloured_nets::check(text));
