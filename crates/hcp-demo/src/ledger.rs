//! `ledger`: an account that pays saved payees.
//!
//! The balance is never stored: it is the opening balance less the payments, so the two cannot differ.

use crate::fault::Fault;
use crate::money::Cents;
use crate::state::{Folder, Locked};
use crate::words::{Asked, Given, Usage, Words};
use hcp_core::diagnostic::Fault as Spot;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Node, Object, Value};
use hcp_core::names::did_you_mean;
use hcp_core::text::{quoted, safe};

const FILE: &str = "ledger.json";
const ACCOUNT: &str = "Demo account DEMO-0001";
const OPENING: &str = "100.00";
const PAYEES: [&str; 3] = ["demo-transit", "demo-energy", "demo-rent"];

static COMMANDS: [Usage; 4] = [
    Usage {
        name: "balance",
        bare: &[],
        options: &[],
        switches: &[],
        about: "Show the balance",
    },
    Usage {
        name: "list",
        bare: &[],
        options: &[],
        switches: &[],
        about: "List the payments, newest last",
    },
    Usage {
        name: "payees",
        bare: &[],
        options: &[],
        switches: &[],
        about: "List the saved payees",
    },
    Usage {
        name: "transfer",
        bare: &["AMOUNT"],
        options: &[("to", "PAYEE", true), ("memo", "TEXT", false)],
        switches: &["confirm"],
        about: "Pay a saved payee; refused without --confirm",
    },
];

/// One payment that was made.
#[derive(Debug)]
struct Payment {
    amount: Cents,
    payee: String,
    memo: Option<String>,
    time: String,
}

/// The account and what was paid from it.
#[derive(Debug)]
pub(crate) struct Ledger {
    opening: Cents,
    payees: Vec<String>,
    payments: Vec<Payment>,
}

/// Runs a command line.
pub(crate) fn run(words: &Words, folder: &Folder) -> Result<String, Fault> {
    let about = "A demo account with 100.00 EUR and three saved payees.";
    match words.ask("ledger", about, &COMMANDS)? {
        Asked::Help(text) => Ok(text),
        Asked::Command("transfer", given) => transfer(&given, folder),
        Asked::Command(name, _) => {
            let ledger = Ledger::load(&folder.lock()?)?;
            match name {
                "balance" => Ok(format!("{} EUR\n", ledger.balance()?)),
                "payees" => Ok(lines(ledger.payees.iter().map(|p| safe(p).to_string()))),
                _ => Ok(ledger.list()),
            }
        }
    }
}

fn transfer(given: &Given, folder: &Folder) -> Result<String, Fault> {
    let amount = Cents::parse(given.bare(0))
        .filter(|amount| !amount.is_zero())
        .ok_or_else(|| {
            Fault::Usage(
                "AMOUNT must be more than 0, in EUR with at most two decimals, such as 2.80"
                    .to_owned(),
            )
        })?;
    let payee = given.option("to").unwrap_or_default();
    let memo = given.option("memo");
    if !given.switch("confirm") {
        return Err(Fault::Refused(format!(
            "nothing was paid: this moves {amount} EUR to {}. Add --confirm to pay",
            quoted(payee)
        )));
    }
    let locked = folder.lock()?;
    let balance = pay(&locked, amount, payee, memo)?;
    let memo = memo.map_or(String::new(), |memo| format!(" ({})", safe(memo)));
    Ok(format!(
        "Paid {amount} EUR to {}{memo}\nBalance {balance} EUR\n",
        safe(payee)
    ))
}

/// Pays a saved payee and gives the balance after it. The one way by which money leaves the account.
pub(crate) fn pay(
    locked: &Locked<'_>,
    amount: Cents,
    payee: &str,
    memo: Option<&str>,
) -> Result<Cents, Fault> {
    let mut ledger = Ledger::load(locked)?;
    if !ledger.payees.iter().any(|p| p == payee) {
        let near = did_you_mean(payee, ledger.payees.iter().map(String::as_str));
        let help = near.map_or_else(
            || format!("saved are {}", ledger.payees.join(", ")),
            |near| format!("did you mean {near}?"),
        );
        return Err(Fault::Refused(format!(
            "nothing was paid: {} is no saved payee; {help}",
            quoted(payee)
        )));
    }
    let balance = ledger.balance()?;
    let Some(left) = balance.minus(amount) else {
        return Err(Fault::Refused(format!(
            "nothing was paid: the balance is {balance} EUR, less than {amount} EUR"
        )));
    };
    ledger.payments.push(Payment {
        amount,
        payee: payee.to_owned(),
        memo: memo.map(str::to_owned),
        time: now(),
    });
    locked.save(FILE, &ledger.to_object())?;
    Ok(left)
}

/// The time, to the second.
pub(crate) fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second())
        .unwrap_or(now)
        .to_string()
}

/// One line for each item.
pub(crate) fn lines(items: impl Iterator<Item = String>) -> String {
    items.map(|item| item + "\n").collect()
}

impl Ledger {
    fn load(locked: &Locked<'_>) -> Result<Self, Fault> {
        match locked.load(FILE, read)? {
            Some(ledger) => Ok(ledger),
            None => Ok(Self {
                opening: Cents::parse(OPENING)
                    .ok_or_else(|| Fault::Refused("the opening balance is no amount".into()))?,
                payees: PAYEES.map(str::to_owned).to_vec(),
                payments: Vec::new(),
            }),
        }
    }

    fn balance(&self) -> Result<Cents, Fault> {
        self.payments
            .iter()
            .try_fold(self.opening, |left, payment| left.minus(payment.amount))
            .ok_or_else(|| {
                Fault::Refused(format!("{FILE} holds more payments than the account had"))
            })
    }

    fn list(&self) -> String {
        if self.payments.is_empty() {
            return "No payments yet\n".to_owned();
        }
        lines(self.payments.iter().map(|p| {
            let memo = p.memo.as_deref().unwrap_or("-");
            let amount = format!("{:>8} EUR", p.amount.to_string());
            let payee = safe(&p.payee);
            format!("{}  {amount}  {payee:<14}  {}", safe(&p.time), safe(memo))
        }))
    }

    fn to_object(&self) -> Object {
        let payments: Vec<Value> = self.payments.iter().map(Payment::to_value).collect();
        Object::new()
            .with("account", ACCOUNT)
            .with("currency", "EUR")
            .with("opening", self.opening.to_string())
            .with("payees", self.payees.clone())
            .with("payments", payments)
    }
}

impl Payment {
    fn to_value(&self) -> Value {
        let mut object = Object::new()
            .with("amount", self.amount.to_string())
            .with("payee", self.payee.as_str());
        if let Some(memo) = &self.memo {
            object.insert("memo", memo.as_str());
        }
        object.with("time", self.time.as_str()).into()
    }
}

fn read(node: &Node, spots: &mut Vec<Spot>) -> Option<Ledger> {
    let mut object = Fields::open(node, "the ledger", spots)?;
    object.optional("account");
    object.optional("currency");
    let opening = object.required("opening", spots);
    let payees = object.required("payees", spots);
    let payments = object.required("payments", spots);
    object.finish(spots);
    let opening = amount(opening?, spots);
    let payees = fields::strings(payees?, spots);
    let payments = fields::array(payments?, spots)?
        .iter()
        .filter_map(|p| read_payment(p, spots))
        .collect();
    Some(Ledger {
        opening: opening?,
        payees,
        payments,
    })
}

fn read_payment(node: &Node, spots: &mut Vec<Spot>) -> Option<Payment> {
    let mut object = Fields::open(node, "a payment", spots)?;
    let paid = object.required("amount", spots);
    let payee = object.required("payee", spots);
    let memo = object.optional("memo");
    let time = object.required("time", spots);
    object.finish(spots);
    Some(Payment {
        amount: amount(paid?, spots)?,
        payee: fields::string(payee?, spots)?.to_owned(),
        memo: memo
            .and_then(|m| fields::string(m, spots))
            .map(str::to_owned),
        time: fields::string(time?, spots)?.to_owned(),
    })
}

/// An amount in a state file.
pub(crate) fn amount(node: &Node, spots: &mut Vec<Spot>) -> Option<Cents> {
    let found = Cents::parse(fields::string(node, spots)?);
    if found.is_none() {
        spots.push(Spot::at(node.span, "this is no amount").help("write it as \"2.80\""));
    }
    found
}
