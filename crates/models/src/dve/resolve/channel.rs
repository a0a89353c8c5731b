//! Messages of channels.

use super::{Entity, Resolver, bounds, unknown};
use crate::dve::model::{Process, Sync};
use crate::dve::syntax::{self, Name, Passed, Type};
use sempre_ltl::Error;
use std::ops::Range;

impl<'a> Resolver<'a> {
    pub(super) fn sync(&self, process: usize, sync: &syntax::Sync<'a>) -> Result<Sync, Error> {
        let channel = self.channel(process, &sync.channel)?;
        if self.synchronous && self.channels[channel].capacity > 0 {
            let message = "a channel that keeps messages has no meaning in a synchronous system";
            return Err(Error::at(sync.channel.span.clone(), message));
        }
        let parts = self.channels[channel].parts.as_ref().map(Vec::len);
        let wrong = |count: usize, expected: &str| {
            let values = if count == 1 { "value" } else { "values" };
            let message = format!("{count} {values} for `{}`", sync.channel.text);
            Error::at(sync.channel.span.clone(), message).expected(expected)
        };
        match &sync.values {
            Passed::Sent(values) => {
                if let Some(parts) = parts
                    && values.len() != parts
                {
                    return Err(wrong(values.len(), &parts.to_string()));
                }
                let values = values
                    .iter()
                    .map(|value| self.term(value, Some(process)))
                    .collect::<Result<_, _>>()?;
                Ok(Sync::Send { channel, values })
            }
            Passed::Received(targets) => {
                if let Some(parts) = parts
                    && targets.len() > parts
                {
                    return Err(wrong(targets.len(), &format!("at most {parts}")));
                }
                let targets = targets
                    .iter()
                    .map(|target| self.target(target, process))
                    .collect::<Result<_, _>>()?;
                Ok(Sync::Receive { channel, targets })
            }
        }
    }

    /// The channel of that name that is seen from that process.
    fn channel(&self, process: usize, name: &Name<'a>) -> Result<usize, Error> {
        let scopes = [&self.locals[process], &self.globals];
        for scope in scopes {
            if let Some(Entity::Channel(channel)) = scope.get(name.text) {
                return Ok(*channel);
            }
        }
        let names = (scopes.into_iter().flatten())
            .filter(|(_, entity)| matches!(entity, Entity::Channel(_)))
            .map(|(name, _)| *name);
        Err(unknown(name, "channel", names))
    }

    /// Checks that no process receives more than is sent. Untyped buffered channels get a type:
    /// as many integers as are sent.
    pub(super) fn check_messages(
        &mut self,
        written: &[syntax::Process<'a>],
        processes: &[Process],
    ) -> Result<(), Error> {
        // For each channel: the process, the number of values, and the place of the name.
        let mut senders = vec![Vec::new(); self.channels.len()];
        let mut receivers = vec![Vec::new(); self.channels.len()];
        for (index, (written, process)) in written.iter().zip(processes).enumerate() {
            for (written, transition) in written.transitions.iter().zip(&process.transitions) {
                let Some(written) = &written.sync else { continue };
                let span = &written.channel.span;
                match &transition.sync {
                    Sync::None => {}
                    Sync::Send { channel, values } => {
                        senders[*channel].push((index, values.len(), span));
                    }
                    Sync::Receive { channel, targets } => {
                        receivers[*channel].push((index, targets.len(), span));
                    }
                }
            }
        }
        let wrong = |span: &Range<usize>, count: usize, sent: usize| {
            let message = format!("this has {count} values, but {sent} are sent elsewhere");
            Error::at(span.clone(), message)
        };
        for (index, (senders, receivers)) in senders.into_iter().zip(receivers).enumerate() {
            let channel = &mut self.channels[index];
            if channel.parts.is_some() {
                continue;
            }
            if channel.capacity > 0 {
                let sent = senders.first().map_or(0, |(_, count, _)| *count);
                if let Some((_, count, span)) = senders.iter().find(|(_, count, _)| *count != sent)
                {
                    return Err(wrong(span, *count, sent));
                }
                channel.parts = Some(vec![bounds(Type::Int); sent]);
                let capacity = channel.capacity;
                if let Some((_, _, span)) = senders.first() {
                    self.reserve(capacity, sent, span)?;
                }
            }
            let channel = &self.channels[index];
            // The least number that another process sends: one of the least two of different
            // processes.
            let least = senders.iter().min_by_key(|(_, count, _)| *count);
            let second = (senders.iter())
                .filter(|(process, ..)| least.is_some_and(|(other, ..)| process != other))
                .min_by_key(|(_, count, _)| *count);
            for (process, count, span) in receivers {
                let sent = match channel.capacity {
                    0 => {
                        [least, second].into_iter().flatten().find(|(other, ..)| *other != process)
                    }
                    _ => least,
                };
                if let Some((_, sent, _)) = sent
                    && count > *sent
                {
                    return Err(wrong(span, count, *sent));
                }
            }
        }
        Ok(())
    }
}
