//! The merge: from layers to the settings in force.

use super::index::Index;
use super::modes::Modes;
use super::{
    AccessFile, DEFAULT_APPROVAL_MINUTES, Ignored, Layer, Layers, Origin, Role, RuleListing,
    RuleRef, Source, Sourced,
};
use crate::gate::Call;
use crate::json::Value;
use crate::mode::{Approvals, Mode};
use crate::names::{PackId, VerbKey};
use crate::rule::Rule;
use crate::text::quoted;

/// The settings in force. Only the merge makes them.
#[derive(Debug, Clone)]
pub struct Effective {
    sources: Vec<Source>,
    index: Index,
    modes: Modes,
    approvals: (Approvals, Origin),
    approval_minutes: (u64, Origin),
    ignored: Vec<Ignored>,
    views: Option<Value>,
}

impl Effective {
    /// Merges the layers. What does not count is listed in [`Effective::ignored`].
    #[must_use]
    pub fn merge(layers: Layers) -> Self {
        let mut ignored = Vec::new();
        let modes = Modes::merge(&layers, &mut ignored);
        let approvals = merge_approvals(&layers, &mut ignored);
        let approval_minutes = merge_minutes(&layers, &mut ignored);
        list_views(&layers, &mut ignored);
        let views = layers
            .user
            .as_ref()
            .and_then(|file| file.body.views.clone());
        let sources = sources_of(layers);
        for source in &sources {
            list_void_rules(source, 0, &mut ignored);
        }
        let count = sources.iter().map(|s| s.rules.len()).sum();
        let index = Index::new(sources.iter().flat_map(|s| &s.rules), count);
        Self {
            sources,
            index,
            modes,
            approvals,
            approval_minutes,
            ignored,
            views,
        }
    }

    /// The same settings with more rules in the session: what a host keeps until its session ends. What is no
    /// allow rule plays no part, and is listed in [`Effective::ignored`].
    ///
    /// ```
    /// use hcp_core::mode::Decision;
    /// use hcp_core::rule::{Match, Rule};
    /// use hcp_core::settings::{Effective, Layers};
    ///
    /// let rule = |decision| Rule::new(Match::Everything, decision);
    /// let access = Effective::merge(Layers::default())
    ///     .with_session([rule(Decision::Allow), rule(Decision::Deny)]);
    /// assert_eq!(access.rules().count(), 2);
    /// assert_eq!(access.ignored().len(), 1);
    /// ```
    #[must_use]
    pub fn with_session(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        let ready = self.index.has_values();
        for source in &mut self.sources {
            if source.layer == Layer::Session {
                let before = source.rules.len();
                source.rules.extend(rules);
                list_void_rules(source, before, &mut self.ignored);
                break;
            }
        }
        let count = self.sources.iter().map(|s| s.rules.len()).sum();
        self.index = Index::new(self.sources.iter().flat_map(|s| &s.rules), count);
        if ready { self.indexed() } else { self }
    }

    /// The same settings, made ready for many calls: rules with one match are told apart by the values that
    /// they want, so that a decision does not look at each. It changes no decision, and costs more than it
    /// saves where only one call is decided.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let sources = &self.sources;
        self.index
            .index_values(|number| numbered(sources, number).map(|(_, _, rule)| rule));
        self
    }

    /// The mode in force for everything that has none of its own, and where it was set.
    #[must_use]
    pub fn mode(&self) -> (Mode, Origin) {
        self.modes.global().clone()
    }

    /// The mode in force for a pack, and where it was set.
    #[must_use]
    pub fn mode_for(&self, pack: &PackId) -> (Mode, Origin) {
        self.modes.of_pack(pack).clone()
    }

    /// The packs that have a mode of their own, with the mode in force for each.
    #[must_use]
    pub fn pack_modes(&self) -> Vec<(PackId, Mode, Origin)> {
        let mut out: Vec<_> = self
            .modes
            .named_packs()
            .map(|pack| {
                let (mode, origin) = self.mode_for(pack);
                (pack.clone(), mode, origin)
            })
            .collect();
        out.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        out
    }

    /// Whose answer counts, and where that was set. A rule may ask for more on its calls.
    #[must_use]
    pub fn approvals(&self) -> (Approvals, Origin) {
        self.approvals.clone()
    }

    /// How long a request and an approval last, and where that was set.
    #[must_use]
    pub fn approval_minutes(&self) -> (u64, Origin) {
        self.approval_minutes.clone()
    }

    /// The person's own view and signal rules as they stand: they are read where cards are made.
    #[must_use]
    pub fn views(&self) -> Option<&Value> {
        self.views.as_ref()
    }

    /// The rules that are for a command and count, whether or not they are over.
    pub fn rules_for<'a>(&'a self, verb: &'a VerbKey) -> impl Iterator<Item = &'a Rule> + 'a {
        self.fitting(verb)
            .filter(|(_, source, rule)| match source.role_of(rule) {
                Role::Own | Role::Session | Role::Operator => true,
                Role::Void(_) => false,
            })
            .map(|(_, _, rule)| rule)
    }

    /// Everything that does not count, with the reason.
    #[must_use]
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// Every rule of every layer, with its place: user, projects, session, operator.
    pub fn rules(&self) -> impl Iterator<Item = RuleListing<'_>> {
        self.sources.iter().flat_map(|source| {
            source
                .rules
                .iter()
                .enumerate()
                .map(|(at, rule)| listing(source, at, rule))
        })
    }

    /// The mode that the person's side decides by.
    pub(crate) fn own_mode(&self, pack: &PackId) -> &(Mode, Origin) {
        self.modes.own(pack)
    }

    /// The operator's mode, where there is one.
    pub(crate) fn floor_mode(&self, pack: &PackId) -> Option<&(Mode, Origin)> {
        self.modes.floor(pack)
    }

    /// The mode in force, without its origin.
    pub(crate) fn mode_in_force(&self, pack: &PackId) -> Mode {
        self.modes.of_pack(pack).0
    }

    pub(crate) fn base_approvals(&self) -> Approvals {
        self.approvals.0
    }

    /// The rules whose match fits the command, each with its number.
    pub(crate) fn fitting<'a>(
        &'a self,
        verb: &'a VerbKey,
    ) -> impl Iterator<Item = (u32, &'a Source, &'a Rule)> + 'a {
        self.index
            .chains(verb)
            .filter_map(|number| {
                let (source, _, rule) = numbered(&self.sources, number)?;
                Some((number, source, rule))
            })
            .filter(|(_, _, rule)| rule.matches.fits(verb))
    }

    /// Calls `found` with every rule that fits the call's command and could apply to it.
    pub(crate) fn candidates(&self, call: &Call<'_>, mut found: impl FnMut(u32, &Source, &Rule)) {
        self.index.candidates(call, |number| {
            if let Some((source, _, rule)) = numbered(&self.sources, number)
                && rule.matches.fits(call.verb)
            {
                found(number, source, rule);
            }
        });
    }

    /// A rule by the number that a [`Judgement`](crate::gate::Judgement) gives, with its place.
    #[must_use]
    pub fn rule(&self, number: u32) -> Option<RuleListing<'_>> {
        let (source, at, rule) = numbered(&self.sources, number)?;
        Some(listing(source, at, rule))
    }
}

/// A rule by its number: its source, its place there and itself.
fn numbered(sources: &[Source], number: u32) -> Option<(&Source, usize, &Rule)> {
    let mut at = number as usize;
    for source in sources {
        if let Some(rule) = source.rules.get(at) {
            return Some((source, at, rule));
        }
        at -= source.rules.len();
    }
    None
}

impl RuleListing<'_> {
    /// The rule by its place, as the log and reasons name it.
    #[must_use]
    pub fn reference(&self) -> RuleRef {
        RuleRef {
            layer: self.layer,
            index: self.index,
            matches: self.rule.matches.clone(),
            decision: self.rule.decision,
            note: self.rule.note.clone(),
        }
    }

    /// Where the rule stands.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin {
            layer: self.layer,
            file: self.file.map(str::to_owned),
        }
    }
}

fn listing<'a>(source: &'a Source, at: usize, rule: &'a Rule) -> RuleListing<'a> {
    let void = match source.role_of(rule) {
        Role::Void(why) => Some(why),
        Role::Own | Role::Session | Role::Operator => None,
    };
    RuleListing {
        layer: source.layer,
        index: source.first + at,
        file: source.file.as_deref(),
        rule,
        void,
    }
}

/// The rules of all layers, in the order in which they are counted: of two equal rules the first is named.
fn sources_of(layers: Layers) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut add = |layer, first, file: Option<String>, rules: Vec<Rule>| {
        let count = rules.len();
        sources.push(Source {
            layer,
            file,
            first,
            rules,
        });
        first + count
    };
    if let Some(user) = layers.user {
        add(Layer::User, 0, Some(user.file), user.body.rules);
    }
    let mut first = 0;
    for project in layers.project {
        first = add(
            Layer::Project,
            first,
            Some(project.file),
            project.body.rules,
        );
    }
    add(Layer::Session, 0, None, layers.session);
    if let Some(operator) = layers.operator {
        add(Layer::Operator, 0, Some(operator.file), operator.body.rules);
    }
    sources
}

/// Lists the rules of a source that play no part, from a place on.
fn list_void_rules(source: &Source, from: usize, ignored: &mut Vec<Ignored>) {
    let rules = source.rules.iter().enumerate().skip(from);
    let listings = rules.map(|(at, rule)| listing(source, at, rule));
    ignored.extend(listings.filter_map(|found| {
        // Most rules count, and their words would be made for nothing.
        let reason = found.void?.to_owned();
        Some(Ignored {
            file: found.file.unwrap_or("the session").to_owned(),
            what: format!("rule {}: {}", found.index, found.rule.in_words()),
            reason,
        })
    }));
}

fn merge_approvals(layers: &Layers, ignored: &mut Vec<Ignored>) -> (Approvals, Origin) {
    let mut found = (Approvals::Agent, Origin::default_value());
    if let Some((word, file)) = word_of(layers.user.as_ref(), |body| body.approvals) {
        found = (word, Origin::of_file(Layer::User, file));
    }
    if let Some(word) = layers.process_approvals {
        if layers.agent && word < found.0 {
            ignored.push(Ignored {
                file: "HCP_APPROVALS".to_owned(),
                what: format!("approvals {word}"),
                reason: format!(
                    "inside an agent HCP_APPROVALS only tightens, and approvals {} is stricter ({})",
                    found.0, found.1
                ),
            });
        } else if !layers.agent || word > found.0 {
            found = (word, Origin::of_variable("HCP_APPROVALS"));
        }
    }
    let projects = layers.project.iter().map(|file| (Layer::Project, file));
    let operator = layers.operator.iter().map(|file| (Layer::Operator, file));
    for (layer, file) in projects.chain(operator) {
        match file.body.approvals {
            Some(word) if word > found.0 => found = (word, Origin::of_file(layer, file)),
            Some(Approvals::Agent) => ignored.push(Ignored {
                file: file.file.clone(),
                what: "approvals agent".to_owned(),
                reason: only_tightens(layer).to_owned(),
            }),
            Some(Approvals::Human) | None => {}
        }
    }
    found
}

fn only_tightens(layer: Layer) -> &'static str {
    match layer {
        Layer::Operator => "the operator's file is a floor: it loosens nothing",
        Layer::User | Layer::Process | Layer::Session | Layer::Project | Layer::Default => {
            "a project only tightens"
        }
    }
}

fn word_of<T>(
    file: Option<&Sourced<AccessFile>>,
    read: impl Fn(&AccessFile) -> Option<T>,
) -> Option<(T, &Sourced<AccessFile>)> {
    let file = file?;
    Some((read(&file.body)?, file))
}

fn merge_minutes(layers: &Layers, ignored: &mut Vec<Ignored>) -> (u64, Origin) {
    let mut found = (DEFAULT_APPROVAL_MINUTES, Origin::default_value());
    if let Some((minutes, file)) = word_of(layers.user.as_ref(), |body| body.approval_minutes) {
        found = (minutes, Origin::of_file(Layer::User, file));
    }
    let before = found.clone();
    for file in &layers.project {
        match file.body.approval_minutes {
            Some(minutes) if minutes < found.0 => {
                found = (minutes, Origin::of_file(Layer::Project, file));
            }
            Some(minutes) if minutes > before.0 => ignored.push(Ignored {
                file: file.file.clone(),
                what: format!("approval_minutes {minutes}"),
                reason: format!(
                    "a project only lowers them, and they are {} ({})",
                    before.0, before.1
                ),
            }),
            Some(_) | None => {}
        }
    }
    if let Some((minutes, file)) = word_of(layers.operator.as_ref(), |body| body.approval_minutes)
        && minutes < found.0
    {
        found = (minutes, Origin::of_file(Layer::Operator, file));
    }
    found
}

fn list_views(layers: &Layers, ignored: &mut Vec<Ignored>) {
    let files = layers.project.iter().chain(&layers.operator);
    ignored.extend(
        files
            .filter(|file| file.body.views.is_some())
            .map(|file| Ignored {
                file: file.file.clone(),
                what: quoted("views"),
                reason: "only the user's own file may change what a card shows".to_owned(),
            }),
    );
}
