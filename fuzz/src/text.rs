//! Text that is safe to show.

use hcp_core::text::{
    SafeText, is_unsafe, quoted, quoted_whole, safe, safe_lines, safe_message, safe_prose, units,
};

/// Nothing unsafe comes out, and what came out once passes unchanged.
///
/// # Panics
/// Where it does not.
pub fn text(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for shown in [
        safe(&text).to_string(),
        safe_message(&text).to_string(),
        quoted(&text),
        quoted_whole(&text),
    ] {
        assert!(!shown.chars().any(is_unsafe), "{shown:?}");
        assert_eq!(SafeText::line(&shown).as_str(), shown);
    }
    let lines = safe_lines(&text);
    assert!(
        !lines.as_str().chars().any(|c| c != '\n' && is_unsafe(c)),
        "{lines:?}"
    );
    assert_eq!(SafeText::join(lines.as_str()), lines);
    // In a person's text joiners stand between letters; what stands so stands again.
    let prose = safe_prose(&text);
    assert!(!prose.as_str().contains('\n'));
    assert_eq!(SafeText::line(prose.as_str()), prose);
    let whole: String = units(prose.as_str()).iter().map(|unit| unit.text).collect();
    assert_eq!(whole, prose.as_str());
}
