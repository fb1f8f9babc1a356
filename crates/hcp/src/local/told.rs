//! What tools told lately of their accounts: for lists of cards that are drawn again and again, where each would
//! otherwise start a program. Nothing that runs or is answered rests on it.

use crate::bindings::Whose;
use crate::driver::{Driver, ProcessDriver, RenderedCall, RunResult};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long a word serves.
const LATELY: Duration = Duration::from_secs(10);

/// A word of a tool, as soon as it is told.
type Word = Arc<OnceLock<RunResult>>;

/// What was asked, and when.
#[derive(Clone, Default)]
pub(super) struct Told(Arc<Mutex<Vec<(Instant, RenderedCall, Word)>>>);

impl Told {
    /// The word for a call that was asked lately, or the place for it.
    fn of(&self, call: &RenderedCall) -> Word {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(when, ..)| when.elapsed() < LATELY);
        if let Some((.., word)) = all.iter().find(|(_, known, _)| known == call) {
            return Arc::clone(word);
        }
        let word = Word::default();
        all.push((Instant::now(), call.clone(), Arc::clone(&word)));
        word
    }
}

/// The process driver, which asks for an account once in a while.
pub(super) struct Remembering {
    driver: ProcessDriver,
    told: Told,
}

impl Remembering {
    pub(super) fn new(driver: ProcessDriver, told: Told) -> Self {
        Self { driver, told }
    }
}

impl Driver for Remembering {
    fn run<'a>(
        &'a self,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        self.driver.run(call)
    }

    fn identity<'a>(
        &'a self,
        whose: &'a Whose<'a>,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        Box::pin(async move {
            let word = self.told.of(call);
            // Who asks the same at the same time waits for the one word. The driver keeps this thread anyway.
            let asked = || pollster::block_on(self.driver.identity(whose, call));
            word.get_or_init(asked).clone()
        })
    }
}
