//! Real commands of real tools, each with the card that a careful engineer expects; `tests/data/README.md` says how
//! they were judged. The rules are not written from this table: it measures them.

use hcp_card::view::ViewKind;
use hcp_card::{Card, CardCall, Past, Rules, View};
use hcp_core::gate::Reading;
use hcp_core::json::{Limits, Object, Value, parse};
use hcp_pack::{Pack, PackFiles};
use std::fmt::Write;

/// The table that the rules may be tuned on, and one that was written without a look at them.
const TABLES: [(&str, &str); 2] = [
    ("commands.json", include_str!("../data/commands.json")),
    ("more.json", include_str!("../data/more.json")),
];
/// The least share of cards that must be right, in percent.
const LEAST: usize = 95;
/// The gravest kinds, in the order in which rules are tried.
const GRAVE: [&str; 4] = ["removal", "payment", "publish", "share"];
/// Signals that go with the kind alone: where another kind is right as well, they move with it.
const BY_KIND: [&str; 7] = [
    "moves_money",
    "goes_live",
    "gives_access",
    "recipients",
    "hidden_copy",
    "attendees",
    "not_recognised",
];

struct Entry(Value);

impl Entry {
    fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn words(&self, key: &str) -> Vec<&str> {
        let list = self.0.get(key).and_then(Value::as_array);
        list.unwrap_or_default()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect()
    }

    fn is_trap(&self) -> bool {
        self.0.get("trap") == Some(&Value::Bool(true))
    }

    fn name(&self) -> String {
        format!("{}.{}", self.text("pack"), self.text("command"))
    }

    fn pack(&self) -> Pack {
        let (pack, command) = (self.text("pack"), self.text("command"));
        let properties = self.0.get("args").unwrap().clone();
        let surface = Object::new()
            .with("description", self.text("description"))
            .with("cli", self.0.get("cli").unwrap().clone())
            .with(
                "args",
                Object::new()
                    .with("type", "object")
                    .with("properties", properties),
            );
        let mut policy = Object::new()
            .with("operation", self.text("operation"))
            .with("confirm", self.text("confirm"));
        if !self.text("undo").is_empty() {
            policy.insert("undo", self.text("undo"));
        }
        let of_command = |body: Object| {
            let commands = Object::new().with(command, body);
            let file = Object::new().with("commands", commands);
            Value::Object(file).to_string().into_bytes()
        };
        let head = Object::new()
            .with("id", pack)
            .with("name", pack)
            .with("version", "1.0.0")
            .with("summary", pack);
        let files = PackFiles {
            pack: Value::Object(head).to_string().into_bytes(),
            surface: of_command(surface),
            policy: of_command(policy),
            ..PackFiles::default()
        };
        Pack::read(&files).unwrap_or_else(|faults| panic!("{}: {faults:?}", self.name()))
    }

    fn view(&self) -> View {
        let pack = self.pack();
        let command = pack.command(self.text("command")).unwrap();
        let call = self.0.get("call").and_then(Value::as_object).unwrap();
        let args = command
            .check_args(call.clone())
            .unwrap_or_else(|fault| panic!("{}: {fault}", self.name()));
        let (reading, rules) = (Reading::default(), Rules::builtin());
        let call = CardCall {
            pack: &pack.id,
            command,
            args: &args,
            policy: command.policy.for_call(&args, &reading),
            reading: &reading,
            unread: &[],
            files: &[],
            rules: &rules,
        };
        hcp_card::view(&call, &Past::default())
    }
}

/// What is wrong with a card, in words; empty where it is right.
struct Faults {
    kind: Option<String>,
    signals: Option<String>,
    /// A removal, payment, publication or share that was taken for something milder.
    milder: bool,
}

fn judge(entry: &Entry, view: &View) -> Faults {
    let (wanted, found) = (entry.text("kind"), view.kind.as_str());
    let also = entry.words("also");
    let other = found != wanted && also.contains(&found);
    let right = found == wanted || other;
    let milder = !right && GRAVE.contains(&wanted) && gravity(found) > gravity(wanted);
    let codes: Vec<&str> = view.signals.iter().map(|s| s.code.as_str()).collect();
    let undo_unknown = entry.text("undo").is_empty();
    let moves =
        |code: &str| BY_KIND.contains(&code) || (code == "cannot_be_undone" && undo_unknown);
    let counts = |code: &&str| !(other && moves(code));
    let missing: Vec<&str> = entry
        .words("signals")
        .into_iter()
        .filter(counts)
        .filter(|code| !codes.contains(code))
        .collect();
    let wrong: Vec<&str> = entry
        .words("not_signals")
        .into_iter()
        .filter(counts)
        .filter(|code| codes.contains(code))
        .collect();
    Faults {
        kind: (!right).then(|| format!("is {found}, and should be {wanted}")),
        signals: (!missing.is_empty() || !wrong.is_empty())
            .then(|| format!("signals missing {missing:?}, and too many {wrong:?}")),
        milder,
    }
}

fn gravity(kind: &str) -> usize {
    const ORDER: [ViewKind; 10] = [
        ViewKind::Removal,
        ViewKind::Payment,
        ViewKind::Publish,
        ViewKind::Share,
        ViewKind::Event,
        ViewKind::Run,
        ViewKind::File,
        ViewKind::Change,
        ViewKind::Message,
        ViewKind::Command,
    ];
    ORDER.iter().position(|k| k.as_str() == kind).unwrap()
}

fn entries(table: &str) -> Vec<Entry> {
    let limits = Limits {
        bytes: usize::MAX,
        depth: 32,
    };
    let table = parse(table, limits).unwrap().to_value();
    table
        .as_array()
        .unwrap()
        .iter()
        .cloned()
        .map(Entry)
        .collect()
}

/// How many of a table's cards are right, and what is wrong with the others.
#[derive(Default)]
struct Shares {
    all: usize,
    kinds: usize,
    whole: usize,
    traps: usize,
    traps_right: usize,
    milder: Vec<String>,
    report: String,
}

impl Shares {
    fn of(entries: &[Entry]) -> Self {
        let mut shares = Self::default();
        for entry in entries {
            shares.count(entry, judge(entry, &entry.view()));
        }
        shares
    }

    fn count(&mut self, entry: &Entry, faults: Faults) {
        let right = faults.kind.is_none() && faults.signals.is_none();
        self.all += 1;
        self.kinds += usize::from(faults.kind.is_none());
        self.whole += usize::from(right);
        self.traps += usize::from(entry.is_trap());
        self.traps_right += usize::from(entry.is_trap() && right);
        if faults.milder {
            self.milder.push(entry.name());
        }
        for fault in [faults.kind, faults.signals].into_iter().flatten() {
            writeln!(self.report, "{}: {fault}", entry.name()).unwrap();
        }
    }
}

/// Run with `--nocapture`, this shows every twelfth card as a person reads it.
#[test]
fn cards_of_real_commands_are_drawn() {
    let entries = TABLES.map(|(_, table)| entries(table));
    for (at, entry) in entries.iter().flatten().enumerate() {
        let card = Card {
            pack_name: entry.text("pack").to_owned(),
            summary: entry.text("description").to_owned(),
            view: entry.view(),
            account: None,
            cwd: None,
            files: Vec::new(),
            stdin: None,
            cli: entry.name(),
        };
        let drawn = hcp_card::render(&card, 80).to_string();
        let title = card.view.title.as_str();
        assert!(
            !title.is_empty() && !title.contains("{{"),
            "{}: {title}",
            entry.name()
        );
        assert!(drawn.contains(&entry.name()), "{drawn}");
        if at % 12 == 0 {
            println!("{drawn}\n");
        }
    }
}

#[test]
fn cards_of_real_commands_are_what_an_engineer_expects() {
    let tables = TABLES.map(|(name, table)| (name, Shares::of(&entries(table))));
    for (name, shares) in &tables {
        let Shares {
            all,
            kinds,
            whole,
            traps,
            traps_right,
            milder,
            report,
        } = shares;
        println!("{report}taken for something milder: {milder:?}");
        println!(
            "{name}: {all} commands: kind right {kinds} ({:.1} %), kind and signals right {whole} ({:.1} %); \
             {traps} traps, {traps_right} right\n",
            share(*kinds, *all),
            share(*whole, *all)
        );
    }
    for (name, shares) in &tables {
        assert!(shares.all >= 150 && shares.traps >= 40, "{name}");
        assert_eq!(
            shares.milder,
            Vec::<String>::new(),
            "{name}: taken for something milder"
        );
        let (whole, all) = (shares.whole, shares.all);
        assert!(
            whole * 100 >= all * LEAST,
            "{name}: {whole} of {all} are right"
        );
    }
}

fn share(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all as f64
}
