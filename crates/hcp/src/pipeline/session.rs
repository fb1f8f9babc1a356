//! The rules that a host keeps until its session ends, each with what ends it sooner. They are held against the pack
//! as it is at each call, so that none outlives the pack that its person saw.

use super::Hcp;
use crate::packs::InstalledPack;
use hcp_card::SessionRule;
use hcp_core::gate::{Answer, Call, ReasonCode, TraceEntry};
use hcp_core::settings::Effective;

/// Rules of a session over the settings in force.
#[derive(Debug, Clone, Default)]
pub struct Session {
    rules: Vec<SessionRule>,
    /// The settings with all of them; `None` where there are none.
    settings: Option<Effective>,
}

impl Session {
    /// The same session with more rules, over these settings.
    #[must_use]
    pub fn with(&self, access: &Effective, rules: impl IntoIterator<Item = SessionRule>) -> Self {
        let mut all = self.rules.clone();
        for rule in rules {
            if !all.contains(&rule) {
                all.push(rule);
            }
        }
        let settings = (!all.is_empty()).then(|| merged(access, &all));
        Self {
            rules: all,
            settings,
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &[SessionRule] {
        &self.rules
    }
}

fn merged<'r>(access: &Effective, rules: impl IntoIterator<Item = &'r SessionRule>) -> Effective {
    let rules = rules.into_iter().map(|kept| kept.rule.clone());
    access.clone().with_session(rules)
}

impl Hcp {
    /// Step 5: the gate, under the settings and what of the session still holds for this pack.
    pub(super) fn judge(
        &self,
        call: &Call<'_>,
        installed: &InstalledPack,
        identity: Option<&str>,
        brings_stdin: bool,
    ) -> (Answer, Vec<TraceEntry>) {
        let now = self.ports.clock.now().wall;
        let (answer, trace) = match &self.session.settings {
            None => self.access.explain(call, now),
            Some(settings) => {
                let digest = installed.pack.digest.to_string();
                let holds = |kept: &&SessionRule| {
                    !kept.rule.matches.fits(call.verb) || kept.ends_with.holds(&digest, identity)
                };
                if self.session.rules.iter().all(|kept| holds(&kept)) {
                    settings.explain(call, now)
                } else {
                    merged(&self.access, self.session.rules.iter().filter(holds)).explain(call, now)
                }
            }
        };
        if brings_stdin && answer.reason_code == ReasonCode::Session {
            // A session rule binds arguments, and this input may be another than the person saw.
            return self.access.explain_without_session(call, now);
        }
        (answer, trace)
    }
}
