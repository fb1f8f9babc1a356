//! Which arguments the raises of a Policy speak of. The Policy itself is read by the core.

use hcp_core::json::{Kind, Member, Node};

/// The arguments that the raises of an entry name, with their places.
pub(crate) fn raise_names(node: &Node) -> Vec<&Member> {
    let items = match node.get("raise").map(|raise| &raise.kind) {
        Some(Kind::Array(items)) => items.as_slice(),
        _ => &[],
    };
    let mut names = Vec::new();
    for when in items.iter().filter_map(|raise| raise.get("when")) {
        for key in ["args", "max", "min", "one_of", "like"] {
            if let Some(Kind::Object(members)) = when.get(key).map(|map| &map.kind) {
                names.extend(members);
            }
        }
    }
    names
}
