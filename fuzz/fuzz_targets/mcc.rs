//! Feeds any text to the reader of the property files of the Model Checking Contest.

#![no_main]

mod mcc_properties;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| mcc_properties::check(text));
