//! Which of the commands that read a line it belongs to. What does not decide it leaves several, of which the
//! strictest must stand: nothing here may lose one for a word that nobody understood.

use super::Argv;
use super::line::Line;
use crate::pack::Command;

/// A command that a line may belong to, and how it reads the line.
pub(super) struct Candidate<'p> {
    pub(super) command: &'p Command,
    pub(super) line: Line,
}

impl Candidate<'_> {
    fn reads_all(&self) -> bool {
        self.line.argv.reading.fully_read
    }

    /// How many literal words of the command the line has, the own words among them.
    fn weight(&self) -> usize {
        self.command.reader().weight
    }

    /// Whether the line has every argument that the command requires and that a line can hold.
    fn complete(&self) -> bool {
        let mut required = self.command.reader().required.iter();
        required.all(|number| {
            let argument = self.command.arguments.get(*number);
            argument.is_some_and(|a| self.line.argv.args.contains_key(&a.name))
        })
    }
}

/// All the commands whose own words stand on a line.
pub(super) struct Candidates<'p>(pub(super) Vec<Candidate<'p>>);

impl<'p> Candidates<'p> {
    /// The numbers of the candidates by where they find their own words.
    ///
    /// Those that begin alike are of one kind, and the words tell which of them it is. Where they differ, a word right
    /// behind an option before the own words is its value to one command and an own word to another: only the tool
    /// knows, and each kind stays.
    fn kinds(&self) -> Vec<Vec<usize>> {
        let mut ends: Vec<&[usize]> = Vec::new();
        for candidate in &self.0 {
            let own = candidate.line.own.as_slice();
            if !ends.iter().any(|end| end.starts_with(own)) {
                ends.retain(|end| !own.starts_with(end));
                ends.push(own);
            }
        }
        let of = |end: &[usize]| {
            let all = self.0.iter().enumerate();
            let all = all.filter(|(_, candidate)| end.starts_with(&candidate.line.own));
            all.map(|(number, _)| number).collect()
        };
        ends.into_iter().map(of).collect()
    }

    fn of(&self, kind: &[usize]) -> impl Iterator<Item = (usize, &Candidate<'p>)> {
        kind.iter()
            .filter_map(|number| Some((*number, self.0.get(*number)?)))
    }

    /// Those of a kind whose literal words all stand, and that have the most of them.
    fn best(&self, kind: &[usize]) -> Vec<(usize, &Candidate<'p>)> {
        let standing = || self.of(kind).filter(|(_, candidate)| candidate.line.stands);
        let most = standing().map(|(_, candidate)| candidate.weight()).max();
        standing()
            .filter(|(_, candidate)| Some(candidate.weight()) == most)
            .collect()
    }

    /// The fewest own words of those that read the whole line, where in each kind the best do.
    pub(super) fn settled(&self) -> Option<usize> {
        let kinds = self.kinds();
        let mut fewest: Option<usize> = None;
        for kind in &kinds {
            let best = self.best(kind).into_iter();
            let own = best
                .filter(|(_, c)| c.reads_all())
                .map(|(_, c)| c.line.own.len())
                .min()?;
            fewest = Some(fewest.map_or(own, |least| least.min(own)));
        }
        fewest
    }

    /// The numbers of those of a kind that the line may belong to.
    fn choose(&self, kind: &[usize]) -> Vec<usize> {
        let best = self.best(kind);
        let whole = || best.iter().filter(|(_, candidate)| candidate.reads_all());
        // A line without what a command requires is no call of it, where another command reads the line too.
        let complete = whole().any(|(_, candidate)| candidate.complete());
        let mut chosen: Vec<usize> = whole()
            .filter(|(_, candidate)| !complete || candidate.complete())
            .map(|(number, _)| *number)
            .collect();
        let unread = chosen.is_empty();
        // The own words stand, and no command of them does: they are on the line all the same.
        let longest = self.of(kind).map(|(_, c)| c.line.own.len()).max();
        let lacking = !self
            .of(kind)
            .any(|(_, c)| c.line.stands && Some(c.line.own.len()) == longest);
        let more = self.of(kind).filter(|(_, candidate)| {
            let own = &candidate.command.own_words;
            let beside_best = unread && best.iter().any(|(_, c)| c.command.own_words == *own);
            beside_best || (lacking && Some(candidate.line.own.len()) == longest)
        });
        chosen.extend(more.map(|(number, _)| number));
        chosen
    }

    /// The commands that the line may belong to.
    pub(super) fn chosen(self) -> Vec<(&'p Command, Argv)> {
        let kinds = self.kinds();
        let chosen: Vec<usize> = kinds.iter().flat_map(|kind| self.choose(kind)).collect();
        let all = self.0.into_iter().enumerate();
        all.filter(|(number, _)| chosen.contains(number))
            .map(|(_, candidate)| {
                let mut argv = candidate.line.argv;
                // A line without a literal word of the command is only perhaps that command. Of several kinds none
                // is certain.
                argv.reading.fully_read &= candidate.line.stands && kinds.len() < 2;
                (candidate.command, argv)
            })
            .collect()
    }
}
