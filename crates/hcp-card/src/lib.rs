//! The card: what a person reads before they say yes.
