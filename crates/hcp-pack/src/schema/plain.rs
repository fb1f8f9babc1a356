//! The plain keywords, judged here: most arguments need no others.

use super::exact::{Exact, LIMITS, Limit, all_differ, has_type};
use super::{Breach, keywords};
use hcp_core::json::{Object, Value};

/// Keywords that say nothing of a value, and our own keys.
const NOTES: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// A schema of plain keywords, ready to judge.
#[derive(Debug)]
pub(super) struct Plain {
    schema: Object,
    types: Option<Vec<String>>,
    choices: Option<Vec<Exact>>,
    constant: Option<Exact>,
    limits: Vec<(String, Limit)>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    pattern: Option<regex::Regex>,
    min_items: Option<u64>,
    max_items: Option<u64>,
    unique: bool,
    items: Option<Box<Plain>>,
}

impl Plain {
    /// The judge of a schema; `None` where it holds more than the plain keywords.
    pub(super) fn compile(schema: &Object) -> Option<Self> {
        let mut plain = Self {
            schema: schema.clone(),
            types: None,
            choices: None,
            constant: None,
            limits: Vec::new(),
            min_length: None,
            max_length: None,
            pattern: None,
            min_items: None,
            max_items: None,
            unique: false,
            items: None,
        };
        for (keyword, value) in schema.iter() {
            plain.take(keyword, value)?;
        }
        Some(plain)
    }

    fn take(&mut self, keyword: &str, value: &Value) -> Option<()> {
        match keyword {
            "type" => self.types = Some(types(value)?),
            "enum" => self.choices = Some(value.as_array()?.iter().map(Exact::from).collect()),
            "const" => self.constant = Some(Exact::from(value)),
            "minLength" => self.min_length = Some(count(value)?),
            "maxLength" => self.max_length = Some(count(value)?),
            "pattern" => self.pattern = Some(keywords::regex(value.as_str()?)?),
            "minItems" => self.min_items = Some(count(value)?),
            "maxItems" => self.max_items = Some(count(value)?),
            "uniqueItems" => self.unique = value.as_bool()?,
            "items" => self.items = Some(Box::new(Self::compile(value.as_object()?)?)),
            "format" if value.as_str() == Some("path") => {}
            _ if LIMITS.contains(&keyword) => {
                let Value::Number(number) = value else {
                    return None;
                };
                let limit = Limit::new(keyword, number)?;
                self.limits.push((keyword.to_owned(), limit));
            }
            _ if NOTES.contains(&keyword) || keyword.starts_with("x-") => {}
            _ => return None,
        }
        Some(())
    }

    /// The first keyword that the value breaks.
    pub(super) fn judge(&self, value: &Value) -> Result<(), Breach> {
        match self.broken(value) {
            Some(keyword) => Err(Breach {
                keyword: keyword.to_owned(),
                item: None,
                schema: self.schema.clone(),
            }),
            None => self.judge_items(value),
        }
    }

    fn broken(&self, value: &Value) -> Option<&str> {
        let differs = |types: &[String]| !types.iter().any(|word| has_type(value, word));
        if self.types.as_deref().is_some_and(differs) {
            return Some("type");
        }
        if self.choices.is_some() || self.constant.is_some() {
            let exact = Exact::from(value);
            if self.choices.as_ref().is_some_and(|c| !c.contains(&exact)) {
                return Some("enum");
            }
            if self.constant.as_ref().is_some_and(|c| *c != exact) {
                return Some("const");
            }
        }
        let past = self.limits.iter().find(|(_, limit)| !limit.holds(value));
        if let Some((keyword, _)) = past {
            return Some(keyword);
        }
        match value {
            Value::String(text) => self.broken_by_text(text),
            Value::Array(items) => self.broken_by_items(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        }
    }

    fn broken_by_text(&self, text: &str) -> Option<&'static str> {
        let length = text.chars().count() as u64;
        if self.min_length.is_some_and(|least| length < least) {
            Some("minLength")
        } else if self.max_length.is_some_and(|most| length > most) {
            Some("maxLength")
        } else if self.pattern.as_ref().is_some_and(|p| !p.is_match(text)) {
            Some("pattern")
        } else {
            None
        }
    }

    fn broken_by_items(&self, items: &[Value]) -> Option<&'static str> {
        let length = items.len() as u64;
        if self.min_items.is_some_and(|least| length < least) {
            Some("minItems")
        } else if self.max_items.is_some_and(|most| length > most) {
            Some("maxItems")
        } else if self.unique && !all_differ(items) {
            Some("uniqueItems")
        } else {
            None
        }
    }

    fn judge_items(&self, value: &Value) -> Result<(), Breach> {
        let (Some(plain), Value::Array(items)) = (&self.items, value) else {
            return Ok(());
        };
        for (at, item) in items.iter().enumerate() {
            plain.judge(item).map_err(|breach| Breach {
                item: Some(at + 1),
                ..breach
            })?;
        }
        Ok(())
    }
}

fn types(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(one) => Some(vec![one.clone()]),
        Value::Array(several) => several
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// A count, which may be written `3`, `3.0` or `3e0`.
pub(super) fn count(value: &Value) -> Option<u64> {
    let Value::Number(number) = value else {
        return None;
    };
    let text = number.as_str();
    if let Ok(count) = text.parse() {
        return Some(count);
    }
    let decimal = number.decimal();
    // Other spellings of a count are rare; a float is exact far beyond any of them.
    (decimal.is_integer() && !decimal.is_negative())
        .then(|| text.parse::<f64>().ok())
        .flatten()
        .filter(|float| *float <= 1e15)
        .map(|float| float as u64)
}
