"""From a script and the cards that it may run on to a session: which simulations to make, what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from memlint import __version__
from memlint.errors import MemlintError, UsageError
from memlint.runtime.cards import Card, Device
from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import Outcome, Request, Target
from memlint.runtime.parent.fit.branches import Attempt, at_a_later_step, worst
from memlint.runtime.parent.fit.candidates import ACCUMULATE, ITEMS, MICRO
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.endings import is_known, went_as_far, why_not
from memlint.runtime.parent.fit.growing import at_the_last_step, growing, with_change
from memlint.runtime.parent.fit.knob import Knob, find, with_micro_batches
from memlint.runtime.parent.fit.largest import largest
from memlint.runtime.parent.fit.loops import at_its_end, look
from memlint.runtime.parent.fit.need import alike, devices_of, on_card, terms, with_fewer
from memlint.runtime.parent.fit.remedies import Asked, remedies
from memlint.runtime.parent.imagined_ranks import are_alike
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.plan import ORIGINAL
from memlint.runtime.parent.replay import Replayed, Static
from memlint.runtime.parent.runs import Runs, Say
from memlint.runtime.parent.surroundings import LOST, environment, lost, sources, where
from memlint.runtime.parent.verdicts.leaks import leaks_of
from memlint.session import (
    INTERRUPTED,
    Arm,
    Capacity,
    Fit,
    Growing,
    Leak,
    OnCard,
    Search,
    Session,
    Trial,
)
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN

CATCHES = ("OutOfMemoryError", "out of memory", "find_executable_batch_size", "auto_find_batch_size")
"""What is in the text of a script that goes on when memory runs out."""

AS_IT_IS = Change(ORIGINAL, "the script as it is")

OTHER_WAY = "with conditions that hang on invented values the other way"
LATER = "with conditions met that later steps may meet"

BATCHES = (
    "--batch-size", "--batch_size", "--batchSize", "--train-batch-size", "--train_batch_size",
    "--per_device_train_batch_size", "batch_size", "BATCH_SIZE", "BATCH", "batch", "bs",
)  # fmt: skip
"""What a number is called that says how many items are trained with at once."""

MICRO_BATCHES = (
    "--gradient_accumulation_steps", "--gradient-accumulation-steps", "--grad_accum_steps",
    "--grad-accum-steps", "--accumulation_steps", "--accumulation-steps", "--accum_iter", "--accum-iter",
    "gradient_accumulation_steps", "grad_accum_steps", "accumulation_steps", "accum_steps", "accum_iter",
    "gradient_accumulate_every", "GRADIENT_ACCUMULATION_STEPS", "ACCUMULATION_STEPS", "ACCUM_STEPS",
)  # fmt: skip
"""What a number is called that says how many batches a step sums the gradients of."""

MOST_SELECTED, FEWEST_SELECTED = 100, 1
"""Percent of elements that masks are taken to select where that is not known, and in the run that asks how
much hangs on it: not none, since few scripts go on with nothing."""

LEAST_MASKED = 0.01
"""Share of the reserved peak from which on it is told."""

TRIAL_STEPS = 3
"""Optimizer steps of a run with another value: from the second on, an optimizer's state is there."""


class Fitting:
    """One question whether a script fits: makes simulations, remembers them, gives verdicts.

    `texts` reads the script's files, by the paths that reports show, from what the first run has imported.
    `edits` is what the changes that make it fit change, once `run` has found them: a path as reports show
    it, the text that was read, and the new text.
    """

    def __init__(
        self,
        target: Target,
        cards: Sequence[Card],
        texts: Callable[[Sequence[str]], Mapping[str, str]],
        workshop: Path,
        say: Say = lambda now: None,
        interrupt: Interrupt | None = None,
    ) -> None:
        self.cards = cards
        self.target = replace(
            target, card=cards[0], capacities=devices_of(cards, target.ranks * target.nodes)
        )
        self.runs = Runs(self.target, workshop, say, interrupt if interrupt is not None else Interrupt())
        self.texts = texts
        self.edits: tuple[tuple[str, str, str], ...] = ()
        self.notes: list[str] = []
        self.errors: list[str] = []

    def run(
        self,
        *,
        budget: int = 0,
        knob: Knob | None = None,
        static: Static | None = None,
        suggest: bool = False,
        by_fixes: bool = False,
    ) -> Replayed:
        """The first simulation, those for cards that are different, with other values, and with fixes.

        With `static`, the fixes of the script's findings are tried where it does not fit the one card that
        was asked for; with `suggest` also where it does, and for the first of several cards. With
        `by_fixes`, fixes that suffice go before cheaper changes that no fix writes.

        Raises:
            MemlintError: the script cannot be simulated at all.
        """
        with self.runs.launcher, closing(self.runs):
            return self._run(budget, knob, static, suggest=suggest, by_fixes=by_fixes)

    def _run(
        self, budget: int, knob: Knob | None, static: Static | None, *, suggest: bool, by_fixes: bool
    ) -> Replayed:
        started = datetime.now().astimezone().isoformat(timespec="seconds")
        offers = static is not None or knob is not None
        first = self.runs.arm(replace(AS_IT_IS.request, look=True, offers=offers))
        if first.arm is None:
            self.runs.arms.append(lost(self.runs.target, first))
        original = self.runs.arms[0]
        if original.simulation is not None and original.simulation.unsupported:
            raise MemlintError(where(original), "measure it with memlint replay --device cpu or cuda instead")
        self._speak_of(original)
        original = self._other_ways(original, offers=offers)
        original = self._later_steps(original, offers=offers)
        texts = self.texts(original.modules) if original.device != LOST else {}
        found = [self._unknown(card) for card in self.cards]
        loop = None
        if is_known(original):
            found = self._verdicts(original, texts)
            loop = look(original, lambda: self._longer(original))
        if loop is not None:
            found = [at_its_end(row, loop, original.peak.step) for row in found]
            if knob is not None:
                place = f"{loop.file}:{loop.line}"
                self.notes.append(f"{knob.name} was not searched: the loop at {place} keeps memory")
                knob = None
        leaks = leaks_of(original, original.holders)
        grows = growing(original, leaks) if is_known(original) else None
        if grows is not None:
            found = [at_the_last_step(row, grows) for row in found]
        masked = self._masked(original) if is_known(original) else 0
        fit = Fit(
            cards=tuple(with_fewer(row, masked) if masked else row for row in found),
            terms=terms(original, self.cards[0]) if is_known(original) else (),
            budget=budget,
            search=self._search(original, found[0], knob, grows) if knob and is_known(original) else None,
            loop=loop,
            growing=grows,
            masked=masked,
        )
        # Of several cards, none is the one that it is to be made to fit.
        suggest = suggest or (len(self.cards) == 1 and (fit.first.verdict != FITS or not fit.within))
        if static is not None and suggest and is_known(original):
            fit = self._with_remedies(fit, original, static, texts, by_fixes=by_fixes)
        session = self._session(started, original, texts, fit, leaks)
        return Replayed(session, first.stdout, first.stderr, first.arm is None)

    def simulate(self, change: Change, *, card: Card | None = None, steps: int = 0) -> Outcome:
        """The script with a change, on the first card or another one; an arm of the session."""
        with self._on_one(card or self.cards[0]):
            return self.runs.arm(change.request, steps=steps)

    def begin(self, changes: Sequence[Change]) -> None:
        """Begin what `simulate` will be asked for on the first card, as many at once as can be."""
        with self._on_one(self.cards[0]):
            self.runs.begin([change.request for change in changes])

    @contextmanager
    def _on_one(self, card: Card) -> Iterator[None]:
        before = self.runs.target
        self.runs.target = replace(before, card=card, capacities=self._devices([card]))
        try:
            yield
        finally:
            self.runs.target = before

    def _devices(self, cards: Sequence[Card]) -> tuple[Device, ...]:
        return devices_of(cards, self.target.ranks * self.target.nodes)

    def verdict(self, arm: Arm, card: Card) -> OnCard:
        """A run with a change, made for a card, on that card."""
        assert arm.simulation is not None
        rows = arm.simulation.capacities
        return on_card(arm, card, rows, enough=arm.simulation.least) if rows else self._unknown(card)

    def _speak_of(self, original: Arm) -> None:
        """Hold all runs to the steps and loops of the first, and to one rank where all are alike."""
        self.runs.target = replace(
            self.runs.target, alike=are_alike(original), least_steps=len(original.steps)
        )
        if original.schedule.steps:
            self.runs.target = replace(
                self.runs.target, steps=original.schedule.steps, schedule=original.schedule
            )

    def _other_ways(self, original: Arm, *, offers: bool) -> Arm:
        """The run to speak of: the one through a branch that hangs on invented values, if that needs more."""

        attempt = self._attempts(OTHER_WAY, "other-way", offers=offers)
        doubtful = original.failure is not None and original.failure.is_doubtful
        if not (is_known(original) or doubtful):
            return original
        ways = worst(original, known=is_known(original), attempt=attempt)
        self.notes += ways.notes
        if ways.arm is None:
            return original
        self.runs.target = replace(self.runs.target, turned=ways.turned)
        self.runs.arms[0] = replace(ways.arm, name=original.name, title=f"{original.title}, {OTHER_WAY}")
        if doubtful:
            self._speak_of(self.runs.arms[0])
        return self.runs.arms[0]

    def _later_steps(self, original: Arm, *, offers: bool) -> Arm:
        """The run to speak of: one in which conditions that count steps are met, if that needs more."""
        if not is_known(original):
            return original
        ways = at_a_later_step(original, self._attempts(LATER, "later-step", offers=offers))
        self.notes += ways.notes
        if ways.arm is None:
            # A second optimizer may step from some step on: what the script allows, it is to allow then, too.
            offered = ways.whole.offers if ways.whole is not None else original.offers
            self.runs.arms[0] = replace(original, offers=offered)
            return self.runs.arms[0]
        self.runs.target = replace(self.runs.target, turned=(*self.runs.target.turned, *ways.turned))
        self.runs.arms[0] = replace(ways.arm, name=original.name, title=f"{original.title}, {LATER}")
        return self.runs.arms[0]

    def _attempts(self, title: str, name: str, *, offers: bool) -> Attempt:
        """What makes runs with more conditions turned than so far."""

        def attempt(turned: tuple[str, ...]) -> Arm | str:
            before = self.runs.target
            self.runs.target = replace(before, turned=(*before.turned, *turned))
            try:
                request = replace(AS_IT_IS.request, title=title, look=True, offers=offers)
                outcome = self.runs.arm(replace(request, name=next(names)), keep=False)
            finally:
                self.runs.target = before
            arm = outcome.arm
            return arm if arm is not None and is_known(arm) else why_not(outcome)

        names = (f"{name}-{number}" for number in count())
        return attempt

    def _masked(self, original: Arm) -> int:
        """Bytes of the need that hang on masks, which are taken to select everything; 0 if they are few.

        Another simulation, in which they select next to nothing, tells them.
        """
        asked = original.simulation.assumed if original.simulation is not None else 0
        if not asked or self.target.selected != MOST_SELECTED:
            return 0
        before = self.runs.target
        self.runs.target = replace(before, selected=FEWEST_SELECTED)
        try:
            request = replace(AS_IT_IS.request, name="few-selected", title="masks select next to nothing")
            arm = self.runs.arm(request, keep=False).arm
        finally:
            self.runs.target = before
        if arm is None or not is_known(arm):
            self.notes.append("what it needs where masks select less than everything is not known")
            return 0
        less = original.cuda["reserved_peak"] - arm.cuda["reserved_peak"]
        return less if less > LEAST_MASKED * original.cuda["reserved_peak"] else 0

    # --- cards ---------------------------------------------------------------------------------------

    def _verdicts(self, original: Arm, texts: Mapping[str, str]) -> list[OnCard]:
        """One for each card; those that would give a run other answers get a simulation of their own."""
        made: list[tuple[Arm, Card, Sequence[Card]]] = [(original, self.cards[0], self.cards)]
        waiting = [card for card in self.cards if not alike(original, self.cards[0], card)]
        while waiting and not self.runs.interrupt:
            card = waiting[0]
            arm = self._on(card, waiting)
            made.append((arm or original, card, waiting if arm else ()))
            waiting = [c for c in waiting[1:] if arm is not None and not alike(arm, card, c)]
        found = []
        for card in self.cards:
            arm, rows = next(
                ((arm, _rows(arm, among, card)) for arm, asked, among in reversed(made)
                 if card in among and alike(arm, asked, card)),
                (None, ()),
            )  # fmt: skip
            if arm is None or not rows:
                found.append(self._unknown(card))
                continue
            enough = arm.simulation.least if arm.simulation is not None and card == self.cards[0] else 0
            found.append(self._caught(on_card(arm, card, rows, enough=enough), card, texts))
        return found

    def _on(self, card: Card, among: Sequence[Card]) -> Arm | None:
        """The script as it is on another card; None where it could not be run there."""
        before = self.runs.target
        self.runs.target = replace(before, card=card, capacities=self._devices(among))
        try:
            arm = self.runs.arm(Request(f"on-{card.name}", f"on {card.name or card.in_words}")).arm
        finally:
            self.runs.target = before
        return arm if arm is not None and is_known(arm) else None

    def _longer(self, original: Arm, change: Change = AS_IT_IS) -> Arm | None:
        """The script with twice as many steps, and with them twice as much of other loops."""
        steps = 2 * (original.schedule.steps or len(original.steps))
        longer = replace(change, name=f"{change.name}-longer", title=f"{change.title}, {steps} steps")
        arm = self.runs.arm(longer.request, steps=steps).arm
        return arm if arm is not None and is_known(arm) else None

    def _caught(self, found: OnCard, card: Card, texts: Mapping[str, str]) -> OnCard:
        """The verdict for a script that goes on when memory has run out: it is run with the card's memory."""
        if found.verdict == FITS or card != self.cards[0] or not _mentions(texts):
            return found
        before = self.runs.target
        self.runs.target = replace(before, card=card, capacities=(), device_memory=card.usable)
        try:
            arm = self.runs.arm(Request("limited", f"with {card.usable:,} B for torch's allocator")).arm
        finally:
            self.runs.target = before
        if arm is None or arm.failure is not None or arm.exhausted is None:
            return found
        self.notes.append(f"memory runs out {arm.exhausted.times} times there, and the script goes on")
        needs = arm.cuda["reserved_peak"]
        return replace(
            found, verdict=FITS, needs=needs + card.context, least=needs + card.context_least,
            most=needs + card.context_most, enough=0, retries=arm.cuda.get("retries", 0),
            asked=0, exhausted=None, arm=arm.name,
        )  # fmt: skip

    def _unknown(self, card: Card) -> OnCard:
        title = card.title if card.name else card.in_words
        return OnCard(card.name, title, card.capability, card.total, UNKNOWN)

    # --- values --------------------------------------------------------------------------------------

    def _search(self, original: Arm, found: OnCard, knob: Knob, grows: Growing | None = None) -> Search:
        card = self.cards[0]
        steps = self._trial_steps(original) if grows is None else 0

        @cache  # the value that is tried again with all steps may be asked for once more
        def attempt(value: int, steps: int = steps) -> Trial:
            change = knob.change(value)
            if not steps:
                change = replace(change, name=f"{change.name}-all-steps")
            outcome = self.simulate(change, steps=steps)
            arm = outcome.arm
            if arm is None or not is_known(arm):
                return Trial(value, change.name, 0, UNKNOWN, why_not(outcome))
            if not arm.steps:
                return Trial(value, change.name, 0, UNKNOWN, "no step ran (are there fewer data?)")
            there = self.verdict(arm, card)
            if more := with_change(grows, original, arm):
                there = at_the_last_step(there, more)
            least[change.name] = there.enough
            return Trial(value, change.name, there.needs, there.verdict)

        def weigh(row: Trial) -> int:
            return least.get(row.arm) or row.needs

        given = Trial(knob.given, original.name, found.needs, found.verdict)
        least = {original.name: found.enough}
        cap = _items(original, knob)
        room = card.usable - (card.context_most - card.context_least) // 2 + card.context
        trials, ended = largest(given, room, attempt, cap, weigh)
        fitting = [row.value for row in trials if row.verdict == FITS and row.value != knob.given]
        if steps and fitting and not self.runs.interrupt and attempt(max(fitting), 0).verdict != FITS:
            # Batches differ in shape: more is reserved in later steps.
            trials, ended = largest(given, room, lambda value: attempt(value, 0), cap, weigh)
        if self.runs.interrupt:
            ended = INTERRUPTED
            trials = [row for row in trials if row.problem != INTERRUPTED]
        fitting = [row.value for row in trials if row.verdict == FITS]
        over = [row.value for row in trials if row.verdict in (MAY_NOT, BREAKS)]
        best, limit = max(fitting, default=0), min(over, default=0)
        return Search(knob.name, knob.what, knob.given, best, limit, tuple(trials), ended)

    def _trial_steps(self, original: Arm) -> int:
        """Steps of a run with another value: as many as the peak of the script as it is lies behind.

        All (0) where more is reserved later still: batches differ in shape, and other ones do in other steps.
        """
        late = [step.reserved for step in original.steps[TRIAL_STEPS - 1 :]]
        if late and max(late) > late[0]:
            return 0
        if original.peak.phase in ("forward", "backward", "optimizer"):
            return max(TRIAL_STEPS, min(original.peak.step, original.schedule.steps or original.peak.step))
        return 0

    # --- changes -------------------------------------------------------------------------------------

    def _with_remedies(
        self, fit: Fit, original: Arm, static: Static, texts: Mapping[str, str], *, by_fixes: bool
    ) -> Fit:
        card = self.cards[0]

        def attempt(change: Change) -> tuple[Arm, OnCard] | str:
            if self.runs.interrupt:
                return INTERRUPTED
            outcome = self.simulate(change)
            arm = outcome.arm
            if arm is None or not is_known(arm):
                return why_not(outcome)
            if not went_as_far(arm, original, change):
                return f"{len(arm.steps)} steps ran instead of {len(original.steps)}"
            there = self.verdict(arm, card)
            # Of a loop that keeps memory, the change may have left something.
            more = fit.loop and look(arm, lambda: self._longer(original, change), anywhere=True)
            there = at_its_end(there, more, arm.peak.step) if more else there
            less = with_change(fit.growing, original, arm, change.parts)
            return arm, at_the_last_step(there, less) if less else there

        asked = Asked(original, fit.first, card, fit.budget, self._batch(original, texts), by_fixes)
        found = remedies(asked, static, texts, self.runs.absolute, attempt, self.begin)
        self.edits = tuple((path, texts[path], new) for path, new in found.overlay)
        self.notes += found.problems
        return replace(fit, remedies=found.found, together=found.together)

    def _batch(self, original: Arm, texts: Mapping[str, str]) -> Knob | None:
        """The batch size of a script, where that is an option or no DataLoader was seen to feed its steps."""
        offered = {o.what for o in original.offers if o.change.startswith(ACCUMULATE)}
        for name in BATCHES:
            try:
                knob = find(name, self.target.arguments, texts, self.runs.absolute)
            except UsageError:
                continue
            if offered and str(knob.given) not in offered:
                continue
            knob = self._with_micro_batches(knob, original, texts)
            if not offered or knob.micro is not None or knob.change(knob.given).arguments:
                return knob
        return None

    def _with_micro_batches(self, knob: Knob, original: Arm, texts: Mapping[str, str]) -> Knob:
        """The batch size with the script's own number of batches for a step, where it sums several."""
        for name in MICRO_BATCHES if any(offer.change == MICRO for offer in original.offers) else ():
            try:
                return with_micro_batches(knob, name, self.target.arguments, texts, self.runs.absolute)
            except UsageError:
                continue
        return knob

    # --- the session ---------------------------------------------------------------------------------

    def _session(
        self, started: str, original: Arm, texts: Mapping[str, str], fit: Fit, leaks: tuple[Leak, ...]
    ) -> Session:
        target = self.target
        return Session(
            memlint=__version__,
            script=target.path if target.is_module else target.arguments[0],
            arguments=target.arguments[1:],
            started=started,
            environment=environment(original),
            options=_options(target),
            arms=tuple(self.runs.arms),
            findings=(),
            errors=tuple(self.errors),
            notes=(*self.notes, *self.runs.notes),
            sources=sources(texts, (), original),
            missing=tuple(f"{title}: {why}" for title, why in self.runs.missing.items()),
            leaks=leaks,
            fit=fit,
        )


def _rows(arm: Arm, among: Sequence[Card], card: Card) -> Sequence[Capacity]:
    """What a run says of one of the cards that it was asked about."""
    rows = arm.simulation.capacities if arm.simulation is not None else ()
    at = 3 * list(among).index(card)
    return rows[at : at + 3]


def _items(original: Arm, knob: Knob) -> int:
    """The items that the data have, where a value is the size of the batches that a loader makes of them."""
    offers = {offer.change.partition(":")[0]: offer.what for offer in original.offers}
    called = knob.name.lower()
    is_batch = "batch" in called or called.strip("-") == "bs"
    if not is_batch or offers.get(ACCUMULATE) != str(knob.given):
        return 0
    items = int(offers.get(ITEMS, 0))
    return items if items >= knob.given else 0


def _mentions(texts: Mapping[str, str]) -> bool:
    return any(word in text for text in texts.values() for word in CATCHES)


def _options(target: Target) -> dict[str, Any]:
    return {
        "module": target.is_module,
        "steps": target.steps,
        "timeout": target.timeout,
        "memory_limit": target.memory_limit,
        "device": "simulate",
        "nproc_per_node": target.ranks,
        "nnodes": target.nodes,
        "card": target.card.name,
        "device_memory": target.card.usable,
        "fixes": False,
        "selected": target.selected,
        "iterations": target.iterations,
        "sandbox": target.contained,
        "seed": arms.SEED,
    }
