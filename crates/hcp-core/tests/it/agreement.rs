//! The decision against the second implementation.

use crate::naive;
use crate::world::{Owned, call, conditions, layers, many_rules, now};
use hcp_core::condition::Facts;
use hcp_core::policy::{Confirm, Policy};
use hcp_core::settings::Effective;
use proptest::prelude::*;

fn naive_confirm(policy: &Policy, owned: &Owned) -> Confirm {
    let plain = Policy {
        raise: Vec::new(),
        ..policy.clone()
    };
    let call = owned.call_with(plain.for_call(&owned.args, &owned.reading));
    policy
        .raise
        .iter()
        .filter(|raise| naive::holds(&raise.when, &call, naive::Way::Tighten))
        .filter_map(|raise| raise.confirm)
        .fold(policy.confirm, Ord::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_set_of_conditions_is_judged_as_the_table_says(set in conditions(), owned in call()) {
        let call = owned.call();
        let facts = Facts { operation: call.policy.operation, args: call.args, reading: call.reading };
        let truth = set.judge(&facts);
        prop_assert_eq!(truth.is_certain(), naive::holds(&set, &call, naive::Way::Loosen));
        prop_assert_eq!(truth.is_possible(), naive::holds(&set, &call, naive::Way::Tighten));
    }

    #[test]
    fn the_decision_is_that_of_the_paragraphs(layers in layers(), owned in call()) {
        let wanted = naive::decide(&layers, &owned.call(), now());
        let answer = Effective::merge(layers).decide(&owned.call(), now());
        prop_assert_eq!((answer.decision, answer.reason_code, answer.approvals), wanted);
    }

    #[test]
    fn looking_rules_up_by_value_changes_no_decision(
        layers in layers(), more in many_rules(), place in 0usize..3, owned in call(),
    ) {
        let mut layers = layers;
        match (place, &mut layers.user, &mut layers.operator) {
            (0, Some(file), _) | (1, _, Some(file)) => file.body.rules.extend(more),
            _ => layers.session.extend(more),
        }
        let plain = Effective::merge(layers);
        let indexed = plain.clone().indexed();
        prop_assert_eq!(plain.explain(&owned.call(), now()), indexed.explain(&owned.call(), now()));
    }

    #[test]
    fn raises_are_met_as_the_table_says(owned in call()) {
        prop_assert_eq!(owned.call().policy.confirm, naive_confirm(&owned.policy, &owned));
    }
}
