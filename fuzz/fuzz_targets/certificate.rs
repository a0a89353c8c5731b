//! Feeds any bytes to the reader of certificates.

#![no_main]

mod certificate_check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| certificate_check::check(bytes));
