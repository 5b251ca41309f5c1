"""A Python client of the API: typed commands, live tables, bots.

async with await Client.sign_in("http://localhost:8080", "ann", "…") as ann:
    await ann.do(api.BuyIn(table="vip-1", amount=100_000))
    async with ann.live() as live:
        await live.watch("vip-1")
        await live.do(api.PlaceBet(table="vip-1", spot="banker", stake=5_000))
"""

from cutcard.client.client import Client
from cutcard.client.live import Live
from cutcard.client.refused import RefusedError

__all__ = ["Client", "Live", "RefusedError"]
