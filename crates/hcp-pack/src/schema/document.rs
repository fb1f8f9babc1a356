//! The ready validator over our own values, with the number keywords replaced by exact ones.
//!
//! The schema that it gets is a rewriting: keywords that compare numbers carry another name and their
//! digits as text, and what says nothing of a value is left out. So no number of a pack passes through a
//! binary float either.

use super::exact::{Exact, LIMITS, Limit, all_differ};
use super::keywords::{Shape, shape, unescape};
use super::{Breach, plain};
use hcp_core::canonical;
use hcp_core::json::{Limits, Number, Object, Value, parse};
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object as JsonObject};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{Draft, JsonType, Keyword, PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value as Plainer};
use std::borrow::Cow;

/// Stands before the name of a replaced keyword.
const OWN: &str = "hcp:";

/// A compiled schema for one object of arguments.
#[derive(Debug)]
pub(super) struct Document(Validator<Values>);

impl Document {
    /// Compiles the whole schema.
    pub(super) fn compile(root: &Object) -> Result<Self, String> {
        let mut options = jsonschema::options_for::<Values>()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true);
        for keyword in LIMITS {
            options = options.with_keyword(format!("{OWN}{keyword}"), |_, text, _| {
                Ok(Box::new(limit(keyword, text)?))
            });
        }
        options = options
            .with_keyword(format!("{OWN}enum"), |_, text, _| {
                Ok(Box::new(one_of(text)?))
            })
            .with_keyword(format!("{OWN}const"), |_, text, _| {
                Ok(Box::new(one_of(text)?))
            });
        options
            .build(&rewrite_root(root))
            .map(Self)
            .map_err(|error| error.to_string())
    }

    /// The first argument that breaks the schema, and the keyword that it breaks.
    pub(super) fn judge(&self, root: &Object, args: &Value) -> Result<(), (String, Breach)> {
        self.0.validate(args).map_err(|error| {
            let place = error.instance_path();
            let name = first_segment(place.as_str());
            (name, breach(root, args, &error))
        })
    }
}

fn first_segment(pointer: &str) -> String {
    unescape(pointer.split('/').nth(1).unwrap_or_default())
}

fn breach(root: &Object, args: &Value, error: &ValidationError<'_>) -> Breach {
    let mut path: Vec<String> = error
        .schema_path()
        .as_str()
        .split('/')
        .skip(1)
        .map(unescape)
        .collect();
    let last = path.pop().unwrap_or_default();
    let by_kind = error.kind().keyword();
    let keyword = match last.strip_prefix(OWN) {
        // What a key breaks is told of the object that holds it.
        _ if by_kind == "propertyNames" => by_kind.to_owned(),
        Some(own) => own.to_owned(),
        // The path ends in the keyword, but where a schema is plain `false`.
        None if shape(&last).is_some() => last,
        None => by_kind.to_owned(),
    };
    let pointer: String = path
        .iter()
        .map(|s| format!("/{}", super::keywords::escape(s)))
        .collect();
    let schema = super::at_pointer(root, &format!("#{pointer}"));
    Breach {
        keyword,
        item: item(args, error.instance_path()),
        schema: schema.cloned().unwrap_or_default(),
    }
}

/// The item of an array argument in which the fault lies. Keys of an object argument are not told:
/// they are part of its value.
fn item(args: &Value, place: &Location) -> Option<usize> {
    let mut segments = place.into_iter();
    let LocationSegment::Property(name) = segments.next()? else {
        return None;
    };
    args.get(name.as_ref())?.as_array()?;
    match segments.next()? {
        LocationSegment::Index(at) => Some(at + 1),
        LocationSegment::Property(_) => None,
    }
}

fn rewrite_root(root: &Object) -> Plainer {
    let mut schema = rewrite_object(root);
    schema.insert("type".to_owned(), Plainer::from("object"));
    schema.insert("additionalProperties".to_owned(), Plainer::from(false));
    Plainer::Object(schema)
}

/// A schema as the ready validator gets it.
fn rewrite(schema: &Value) -> Plainer {
    match schema.as_object() {
        Some(object) => Plainer::Object(rewrite_object(object)),
        None => Plainer::Bool(schema.as_bool().unwrap_or_default()),
    }
}

fn rewrite_object(schema: &Object) -> Map<String, Plainer> {
    schema
        .iter()
        .filter_map(|(keyword, value)| rewrite_keyword(keyword, value))
        .collect()
}

fn rewrite_keyword(keyword: &str, value: &Value) -> Option<(String, Plainer)> {
    let schemas = |value: &Value| -> Plainer {
        let items = value.as_array().unwrap_or_default();
        items.iter().map(rewrite).collect()
    };
    let map = |value: &Value| -> Plainer {
        let members = value.as_object().into_iter().flat_map(Object::iter);
        Plainer::Object(members.map(|(k, v)| (k.to_owned(), rewrite(v))).collect())
    };
    let own = || format!("{OWN}{keyword}");
    let same = |value: Plainer| Some((keyword.to_owned(), value));
    match shape(keyword)? {
        Shape::Schema => same(rewrite(value)),
        Shape::Schemas => same(schemas(value)),
        Shape::SchemaMap | Shape::PatternMap => same(map(value)),
        Shape::Count => same(plain::count(value).map_or(Plainer::Null, Plainer::from)),
        Shape::Number | Shape::Step | Shape::Choices => {
            Some((own(), Plainer::from(canonical::encode(value))))
        }
        Shape::Constant => {
            let list = Value::Array(vec![value.clone()]);
            Some((own(), Plainer::from(canonical::encode(&list))))
        }
        Shape::Pattern
        | Shape::Type
        | Shape::Truth
        | Shape::Names
        | Shape::NamesMap
        | Shape::Reference
        | Shape::Anchor => same(serde_json::to_value(value).unwrap_or_default()),
        // A format is a text that does judge; all other texts are notes.
        Shape::Text if keyword == "format" => same(serde_json::to_value(value).unwrap_or_default()),
        Shape::Text | Shape::Note => None,
    }
}

/// A number keyword of ours.
struct Numeric(Limit);

/// `enum` and `const` of ours.
struct OneOf(Vec<Exact>);

fn broken() -> ValidationError<'static> {
    ValidationError::custom("broken")
}

fn limit(keyword: &str, text: &Plainer) -> Result<Numeric, ValidationError<'static>> {
    text.as_str()
        .and_then(Number::new)
        .and_then(|number| Limit::new(keyword, &number))
        .map(Numeric)
        .ok_or_else(|| ValidationError::schema("a limit is no number"))
}

fn one_of(text: &Plainer) -> Result<OneOf, ValidationError<'static>> {
    // The schema was read within the limits of a pack's file, and its parts are no larger.
    let list = text
        .as_str()
        .and_then(|text| parse(text, Limits::default()).ok());
    match list.map(|node| node.to_value()) {
        Some(Value::Array(items)) => Ok(OneOf(items.iter().map(Exact::from).collect())),
        Some(_) | None => Err(ValidationError::schema("the choices are no list")),
    }
}

impl<'i> Keyword<'i, Values> for Numeric {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        self.0.holds(instance).then_some(()).ok_or_else(broken)
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.0.holds(instance)
    }
}

impl<'i> Keyword<'i, Values> for OneOf {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        self.is_valid(instance).then_some(()).ok_or_else(broken)
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.0.contains(&Exact::from(instance))
    }
}

/// Our values, as the ready validator sees them.
#[derive(Debug)]
struct Values;

impl Json for Values {
    type Node<'a> = &'a Value;
    type PreparedKey = String;
    type StringBuffer = Value;
    // Values are trees: a reference that comes back to the same value would never end.
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, string: &str, f: impl FnOnce(&Value) -> T) -> T {
        *buffer = Value::from(string);
        f(buffer)
    }
}

/// A number for the validator. It judges by our own keywords, so only whether it is whole matters.
struct Digits<'a>(&'a Number);

impl JsonNumber for Digits<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.as_str().parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.as_str().parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.as_str().parse().ok().filter(|f: &f64| f.is_finite())
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0.as_str())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        Cow::Owned(serde_json::Number::from(0))
    }

    fn is_integer(&self) -> bool {
        self.0.decimal().is_integer()
    }
}

impl<'a> Node<'a, Values> for &'a Value {
    type Object = &'a Object;
    type Array = &'a [Value];
    type Number = Digits<'a>;

    fn as_object(&self) -> Option<&'a Object> {
        Value::as_object(self)
    }

    fn as_array(&self) -> Option<&'a [Value]> {
        Value::as_array(self)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        Value::as_str(self).map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Digits<'a>> {
        match self {
            Value::Number(number) => Some(Digits(number)),
            Value::Null
            | Value::Bool(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        Value::as_bool(self)
    }

    fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    /// Never reached by the rewritten schema; exact all the same where the expected value is no float.
    fn equals_value(&self, expected: &Plainer) -> bool {
        let expected = serde_json::to_string(expected).unwrap_or_default();
        parse(&expected, Limits::default())
            .is_ok_and(|node| Exact::from(&node.to_value()) == Exact::from(*self))
    }

    /// For the validator's own messages, which nobody sees: no value goes into them.
    fn to_value(&self) -> Cow<'a, Plainer> {
        Cow::Owned(Plainer::Null)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(
            std::ptr::from_ref::<Value>(*self) as usize
        ))
    }
}

impl<'a> JsonObject<'a, Values> for &'a Object {
    type Node = &'a Value;
    type MemberName = &'a str;
    type MembersIter = Box<dyn Iterator<Item = (&'a str, &'a Value)> + 'a>;

    fn len(&self) -> usize {
        Object::len(self)
    }

    fn get(&self, key: &String) -> Option<&'a Value> {
        Object::get(self, key)
    }

    fn members(&self) -> Self::MembersIter {
        Box::new(Object::iter(self))
    }
}

impl<'a> Array<'a, Values> for &'a [Value] {
    type Node = &'a Value;
    type ElementsIter = std::slice::Iter<'a, Value>;

    fn len(&self) -> usize {
        <[Value]>::len(self)
    }

    fn elements(&self) -> std::slice::Iter<'a, Value> {
        self.iter()
    }

    fn is_unique(&self) -> bool {
        all_differ(self)
    }
}
