"""How often somebody may do something: a sliding window, in bounded memory.

Whoever has many addresses or makes up many names can neither grow this without limit nor
make it forget a key that has used its attempts up, short of using up as many others.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

from cutcard.server.settings import LONGEST_TEXT

MOST_KEYS = 20_000


@dataclass(slots=True)
class Limiter:
    """At most `most` times for each key within any `window_ms`."""

    most: int
    window_ms: int
    keys: int = MOST_KEYS
    """How many keys are remembered; then those that are longest silent are forgotten."""

    _open: OrderedDict[str, deque[int]] = field(default_factory=OrderedDict)
    _used_up: OrderedDict[str, deque[int]] = field(default_factory=OrderedDict)

    def wait(self, key: str, now: int) -> int:
        """How many milliseconds the key has to wait; 0 if it need not."""
        times = self._times(key, now)
        if times is None or len(times) < self.most:
            return 0
        return times[0] + self.window_ms - now

    def take(self, key: str, now: int) -> int:
        """Count one if there is room for it; otherwise the milliseconds to wait."""
        if wait := self.wait(key, now):
            return wait
        times = self._open.pop(key, None) or deque()
        times.append(now)
        # A key that may go on is forgotten before one that must wait.
        (self._used_up if len(times) >= self.most else self._open)[key] = times
        if len(self) > self.keys:
            self._evict(now)
        return 0

    def give_back(self, key: str, taken: int) -> None:
        """Do not count what was counted at a moment; it was no harm after all."""
        for kept in (self._open, self._used_up):
            times = kept.get(key)
            if times is not None and taken in times:
                times.remove(taken)
                del kept[key]
                if times:
                    self._open[key] = times
                return

    def forget(self, key: str) -> None:
        """Count from nothing again."""
        self._open.pop(key, None)
        self._used_up.pop(key, None)

    def __len__(self) -> int:
        return len(self._open) + len(self._used_up)

    def _times(self, key: str, now: int) -> deque[int] | None:
        """When the key was counted within the window; older times are dropped here."""
        kept = self._used_up if key in self._used_up else self._open
        times = kept.get(key)
        if times is None:
            return None
        while times and times[0] <= now - self.window_ms:
            times.popleft()
        if not times:
            del kept[key]
            return None
        if kept is self._used_up and len(times) < self.most:
            self._open[key] = kept.pop(key)
        return times

    def _evict(self, now: int) -> None:
        """Make room for one: the oldest that is over, else the oldest with attempts left."""
        if self._used_up:
            oldest = next(iter(self._used_up))
            if self._times(oldest, now) is None:
                return
        (self._open or self._used_up).popitem(last=False)


@dataclass(slots=True)
class Rate:
    """At most `most` at once, and after that one for each `most`-th of `window_ms`.

    One number a key: for what happens often, where a list of times would be long.
    """

    most: int
    window_ms: int
    keys: int = MOST_KEYS
    """How many keys are remembered; then whoever is longest silent is forgotten."""

    _due: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """When everything counted so far will be forgotten, in `most`-ths of a millisecond."""

    def take(self, key: str, now: int) -> int:
        """Count one if there is room for it; otherwise the milliseconds to wait."""
        ticks = now * self.most
        due = max(self._due.pop(key, 0), ticks) + self.window_ms
        late = due - ticks - self.window_ms * self.most
        self._due[key] = due if late <= 0 else due - self.window_ms
        if len(self._due) > self.keys:
            self._due.popitem(last=False)
        return max(0, -(-late // self.most))

    def __len__(self) -> int:
        return len(self._due)


def network(address: str) -> str:
    """What of an address counts as one: all of IPv4, of IPv6 the part that one customer holds.

    >>> network("203.0.113.7"), network("::ffff:203.0.113.7")
    ('203.0.113.7', '203.0.113.7')
    >>> network("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        # A socket file has no address, and whatever a proxy made up is one key as it stands.
        return address[:LONGEST_TEXT]
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network(f"{found}/64", strict=False))
