//! `transit`: routes, fares, and tickets that are paid through the ledger.

use crate::fault::Fault;
use crate::ledger::{self, lines};
use crate::money::Cents;
use crate::state::Folder;
use crate::words::{Asked, Usage, Words};
use hcp_core::diagnostic::Fault as Spot;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Node, Object, Value};
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;

const FILE: &str = "transit.json";
const PAYEE: &str = "demo-transit";

/// Each route with its fare in EUR and where it goes.
const ROUTES: [(&str, &str, &str); 4] = [
    ("city", "2.80", "City centre, one ride"),
    ("airport", "4.60", "Airport express, one ride"),
    ("day", "7.50", "All city lines for one day"),
    ("coast", "12.40", "Regional train to the coast, one way"),
];

static COMMANDS: [Usage; 3] = [
    Usage {
        name: "routes",
        bare: &[],
        options: &[],
        switches: &[],
        about: "List the routes with their fares",
    },
    Usage {
        name: "fare",
        bare: &["ROUTE"],
        options: &[],
        switches: &[],
        about: "Show the fare of a route",
    },
    Usage {
        name: "buy",
        bare: &["ROUTE"],
        options: &[],
        switches: &[],
        about: "Buy a ticket and pay it through the ledger",
    },
];

/// Runs a command line.
pub(crate) fn run(words: &Words, folder: &Folder) -> Result<String, Fault> {
    let about = "Demo tickets, paid from the demo account.";
    match words.ask("transit", about, &COMMANDS)? {
        Asked::Help(text) => Ok(text),
        Asked::Command("fare", given) => {
            let (_, fare) = route(given.bare(0))?;
            Ok(format!("{fare} EUR\n"))
        }
        Asked::Command("buy", given) => buy(given.bare(0), folder),
        Asked::Command(..) => {
            Ok(lines(ROUTES.iter().map(|(name, fare, about)| {
                format!("{name:<8}  {fare:>6} EUR  {about}")
            })))
        }
    }
}

fn route(name: &str) -> Result<(&'static str, Cents), Fault> {
    let found = ROUTES
        .iter()
        .find(|(route, ..)| *route == name)
        .and_then(|(route, fare, _)| Some((*route, Cents::parse(fare)?)));
    found.ok_or_else(|| {
        let all = ROUTES.map(|(route, ..)| route);
        let help = did_you_mean(name, all).map_or_else(
            || format!("there are {}", all.join(", ")),
            |near| format!("did you mean {near}?"),
        );
        Fault::Refused(format!("there is no route {}; {help}", quoted(name)))
    })
}

fn buy(name: &str, folder: &Folder) -> Result<String, Fault> {
    let (route, fare) = route(name)?;
    let locked = folder.lock()?;
    // Read before the money goes: tickets that cannot be read must not cost a fare.
    let mut tickets = locked.load(FILE, read)?.unwrap_or_default();
    let id = format!("T-{:04}", tickets.len() + 1);
    let memo = format!("Ticket {id}, {route}");
    let balance = ledger::pay(&locked, fare, PAYEE, Some(&memo))?;
    let ticket = Object::new()
        .with("id", id.as_str())
        .with("route", route)
        .with("fare", fare.to_string())
        .with("time", ledger::now());
    tickets.push(ticket.into());
    locked
        .save(FILE, &Object::new().with("tickets", tickets))
        .map_err(|fault| {
            Fault::Refused(format!(
                "the fare was paid ({memo}), but the ticket could not be stored: {fault}"
            ))
        })?;
    Ok(format!(
        "Ticket {id}\n  route    {route}\n  fare     {fare} EUR\n  paid to  {PAYEE}\nBalance {balance} EUR\n"
    ))
}

fn read(node: &Node, spots: &mut Vec<Spot>) -> Option<Vec<Value>> {
    let mut object = Fields::open(node, "the tickets file", spots)?;
    let tickets = object.required("tickets", spots);
    object.finish(spots);
    let tickets = fields::array(tickets?, spots)?;
    for ticket in tickets {
        let mut object = Fields::open(ticket, "a ticket", spots)?;
        for key in ["id", "route", "fare", "time"] {
            if let Some(value) = object.required(key, spots) {
                fields::string(value, spots);
            }
        }
        object.finish(spots);
    }
    Some(tickets.iter().map(Node::to_value).collect())
}
