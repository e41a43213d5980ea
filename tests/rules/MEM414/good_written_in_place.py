# Each copy is written to, or kept: a view of one memory would not do.


def beams(state, noise, n, buffer):
    several = state.unsqueeze(1).repeat(1, n, 1)
    several += noise
    buffer.append(state.unsqueeze(0).repeat(n, 1, 1))
    return several
