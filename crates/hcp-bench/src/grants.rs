//! A decision among many grants against the same decision among few.

use crate::Result;
use crate::measure::per_call;
use crate::report::{Section, at_most, ratio, time};
use hcp_core::grants::{Act, ActKind, Actor, Capability, Grant, GrantIndex, default_authorize};
use hcp_core::names::VerbKey;
use hcp_core::policy::{Land, Operation};
use hcp_core::principal::{Principal, PrincipalKind};
use std::cell::Cell;
use std::time::Duration;

const CALLS: usize = 64;

pub fn measure(quick: bool) -> Result<Vec<Section>> {
    let sizes: &[usize] = if quick {
        &[10, 1_000]
    } else {
        &[10, 1_000, 100_000]
    };
    let mut fewest = None;
    let mut rows = Vec::new();
    for &size in sizes {
        let taken = one_size(size)?;
        let growth = ratio(taken, *fewest.get_or_insert(taken));
        rows.push(vec![size.to_string(), time(taken), at_most(growth, 2.0)]);
    }
    Ok(vec![Section {
        title: "A decision among grants".to_owned(),
        text: format!(
            "The median of one authorisation over {CALLS} calls, half of which are granted; each grant is for a \
             command of its own."
        ),
        columns: vec!["grants", "time", "÷ fewest grants"],
        rows,
    }])
}

fn one_size(size: usize) -> Result<Duration> {
    let verb = |index: usize| {
        VerbKey::parse(&format!("p{}.c{}", index / 100, index % 100)).ok_or("a verb key")
    };
    let mut grants = Vec::with_capacity(size);
    for index in 0..size {
        let verb = verb(index)?;
        grants.push(Grant {
            capability: Capability::VerbExecWrite,
            pack_id: Some(verb.pack.clone()),
            verb_keys: Some(vec![verb]),
        });
    }
    let grants = GrantIndex::new(&grants);
    let principal = Principal {
        id: "ana".to_owned(),
        kind: PrincipalKind::Agent,
    };
    let actor = Actor {
        principal: &principal,
        tenant_id: "local",
        project_id: None,
        grants: &grants,
    };
    // Every second call is for a command that comes after all that are granted.
    let asked = (0..CALLS)
        .map(|n| {
            verb(if n % 2 == 0 {
                (n * 7919) % size
            } else {
                size + n
            })
        })
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let granted = |verb: &VerbKey| {
        default_authorize(
            &actor,
            &Act {
                pack_id: &verb.pack,
                verb_key: Some(verb),
                operation: Operation::Write,
                land: Land::Personal,
                kind: ActKind::Exec,
            },
        )
        .allow
    };
    for (number, verb) in asked.iter().enumerate() {
        if granted(verb) != (number % 2 == 0) {
            return Err(format!("{size} grants: call {number} is answered wrongly").into());
        }
    }
    let turn = Cell::new(0);
    Ok(per_call(401, Duration::from_secs(3), || {
        turn.set((turn.get() + 1) % asked.len());
        asked.get(turn.get()).map(&granted)
    }))
}
