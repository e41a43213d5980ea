def batches(ids, batch, length):
    n = (len(ids) - 1) // (batch * length)
    ids = ids[: n * batch * length + 1]
    x, y = ids[:-1].view(batch, -1), ids[1:].view(batch, -1)
    for i in range(0, x.size(1), length):
        yield x[:, i : i + length], y[:, i : i + length]
