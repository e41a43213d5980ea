import torch


def run_chunk(net, chunk, state, crit):
    out, state = net(chunk[:, :-1], state)  #= MEM106
    return crit(out.flatten(0, 1), chunk[:, 1:].flatten()), state


def train(net, chunks, opt, crit):
    """Truncated backpropagation, as it was meant to be."""
    hidden = None
    for chunk in chunks:
        loss, hidden = run_chunk(net, chunk, hidden, crit)  #! MEM106
        opt.zero_grad()
        loss.backward(retain_graph=True)  #? MEM106 #? MEM108
        opt.step()
