//! A model of any language, and the systems that it makes.

use crate::description::Description;
use crate::petri::Net;
use crate::system::{Fault, System, VariableId};
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// A parsed model, from which a language makes systems.
pub trait Source: Any + Send + Sync {
    /// Makes the system, with this number of bits for values without a known bound.
    fn system(self: Arc<Self>, width: Width) -> Arc<dyn System>;

    /// Returns the initial width.
    ///
    /// # Errors
    /// If the state space is known to be infinite, and all of it is needed.
    fn first_width(&self, extent: Extent) -> Result<Width, Fault> {
        let _ = extent;
        Ok(Width(32))
    }

    /// Returns the next width, after the value of a variable did not fit.
    ///
    /// # Errors
    /// If more bits are of no use.
    fn wider(&self, width: Width, variable: VariableId, extent: Extent) -> Result<Width, Fault> {
        let _ = (width, extent);
        Err(Fault::Overflow(variable))
    }

    /// Computes what all systems of the model share, such as bounds of places. If that takes longer
    /// than to the deadline, systems do without.
    fn prepare(&self, deadline: Option<Instant>) {
        let _ = deadline;
    }

    /// Returns the name that the file gives the model.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Returns sentences about parts of the file that have no influence on the behaviour.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// Describes the parts of the model.
    fn describe(&self) -> Description {
        Description::default()
    }
}

/// The number of bits of values without a known bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Width(pub u32);

/// How much of a state space some work needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it: unbounded nets are refused early.
    Whole,
    /// It may end before all states have been seen.
    OnTheFly,
}

/// A model of any language.
///
/// ```
/// use sempre_models::{Model, languages};
/// let text = "init on; state on: bright -> off; state off -> on;";
/// let lamp = languages::named("kripke").unwrap().read(text)?;
/// assert_eq!(lamp.system().initial().unwrap().len(), 1);
/// # Ok::<(), sempre_models::Error>(())
/// ```
#[derive(Clone)]
pub struct Model {
    source: Arc<dyn Source>,
}

impl fmt::Debug for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Model").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl<S: Source> From<S> for Model {
    fn from(source: S) -> Self {
        Model { source: Arc::new(source) }
    }
}

impl Model {
    /// Returns the model as its language knows it, if it is of that type.
    pub fn get<S: Source>(&self) -> Option<&S> {
        let source: &dyn Any = &*self.source;
        source.downcast_ref()
    }

    /// Returns the model as a shared value of that type.
    pub fn shared<S: Source>(&self) -> Option<Arc<S>> {
        let source: Arc<dyn Any + Send + Sync> = self.source.clone();
        source.downcast().ok()
    }

    /// Returns the net, if the model is one.
    pub fn net(&self) -> Option<&Net> {
        self.get()
    }

    /// Returns the name that the file gives the model.
    pub fn name(&self) -> Option<&str> {
        self.source.name()
    }

    /// Returns sentences about parts of the file that have no influence on the behaviour.
    pub fn notes(&self) -> &[String] {
        self.source.notes()
    }

    /// Describes the parts of the model, for people.
    pub fn describe(&self) -> Description {
        self.source.describe()
    }

    /// Computes what all systems of the model share; see [`Source::prepare`].
    pub fn prepare(&self, deadline: Option<Instant>) {
        self.source.prepare(deadline);
    }

    /// Makes the system with the narrowest states, regardless of known bounds.
    pub fn system(&self) -> Arc<dyn System> {
        let width = self.source.first_width(Extent::OnTheFly).unwrap_or(Width(32));
        self.source.clone().system(width)
    }

    /// Does some work on the system of the model, and does it again from the beginning with wider
    /// states whenever it ends with an [overflow](Fault::Overflow).
    ///
    /// # Errors
    /// If the work ends with a fault that more bits cannot mend, or the state space is known to be
    /// infinite and the extent is the whole of it.
    pub fn run<T>(
        &self,
        extent: Extent,
        mut work: impl FnMut(&Arc<dyn System>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut systems = self.systems(extent)?;
        loop {
            match work(systems.current()) {
                Err(Fault::Overflow(variable)) => systems.widen(variable)?,
                outcome => return outcome,
            }
        }
    }

    /// Returns the systems of the model, the narrowest first.
    ///
    /// # Errors
    /// If the state space is known to be infinite and the extent is the whole of it.
    pub fn systems(&self, extent: Extent) -> Result<Systems, Fault> {
        let width = self.source.first_width(extent)?;
        let current = self.source.clone().system(width);
        Ok(Systems { source: self.source.clone(), extent, width, current })
    }
}

/// The systems of a model, from narrow states to wide ones.
#[derive(Clone)]
pub struct Systems {
    source: Arc<dyn Source>,
    extent: Extent,
    width: Width,
    current: Arc<dyn System>,
}

impl Systems {
    /// Returns the present system.
    pub fn current(&self) -> &Arc<dyn System> {
        &self.current
    }

    /// Goes on to the next wider system, after a value of a variable did not fit.
    ///
    /// # Errors
    /// If there is none, or the values are known to grow without end.
    pub fn widen(&mut self, variable: VariableId) -> Result<(), Fault> {
        self.width = self.source.wider(self.width, variable, self.extent)?;
        self.current = self.source.clone().system(self.width);
        Ok(())
    }
}
