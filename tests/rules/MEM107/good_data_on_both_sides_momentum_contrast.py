# .data on both sides: momentum contrast

import torch


def momentum_update(encoder_q, encoder_k, m=0.999):
    for param_q, param_k in zip(encoder_q.parameters(), encoder_k.parameters()):
        param_k.data = param_k.data * m + param_q.data * (1.0 - m)


def half_detached(average, model, m):
    for kept, now in zip(average.parameters(), model.parameters()):
        kept.data = m * kept.data + (1 - m) * now


def soft_update(target, source, tau):
    for tp, sp in zip(target.parameters(), source.parameters()):
        tp.data.copy_(tau * sp.data + (1.0 - tau) * tp.data)


momentum_update(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
half_detached(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2), 0.9)
soft_update(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2), 0.005)
