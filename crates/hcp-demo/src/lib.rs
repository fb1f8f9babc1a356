//! The demo tools: ledger, transit and notes.
