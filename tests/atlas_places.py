"""Where events stand, by the definition: slow, and as the documentation has it."""


def place_by_definition(before):
    """The mean over the others of how probably each comes before, an open order counting half."""
    found = []
    for event in range(len(before)):
        others = [other for other in range(len(before)) if other != event]
        shares = [
            before[other][event] + (1 - before[other][event] - before[event][other]) / 2
            for other in others
        ]
        found.append(sum(shares) / len(others))
    return found
