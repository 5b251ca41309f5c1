"""The server: a venue's tables, open to the network.

Outside these walls are clocks, wires and strangers. What comes in is checked here once,
and only the rooms below decide what happens.
"""
