"""A dealer with cards of plastic, as several of the good packs need one."""

from collections.abc import Mapping

from cutcard.pack.croupier import DEALER, Croupier
from cutcard.round import commands as rounds
from cutcard.rules.cards import Card, parse_cards
from cutcard.table import commands as ask

SEED = "golden packs"


class Earlier(Croupier):
    """A dealer of the time before the house's own rules had editions."""

    def open(self, stacks: Mapping[str, int], **choices: object) -> None:
        super().open(stacks, **{"edition": None, **choices})


class ByHand(Earlier):
    """A dealer with cards of plastic: no order was committed."""

    def deal_cards(self, cards: str) -> None:
        for card in parse_cards(cards):
            self.in_round(rounds.DrawCard(card, self.tick()))

    def new_shoe(self, name: str) -> None:
        """Another shoe, whose ace burns one card."""
        self.register(name, "shuffled by machine 4")
        self.do(ask.BurnCard(Card.parse("As"), DEALER, self.tick()))
        self.do(ask.BurnCard(None, DEALER, self.tick()))
