import torch


def viterbi(emissions, trans):
    score = emissions[0]
    back = []
    for e in emissions[1:]:
        nxt = score.unsqueeze(1) + trans + e
        score, idx = nxt.max(0)
        back.append(idx)
    path = [int(score.argmax())]
    for b in reversed(back):
        path.append(int(b[path[-1]]))
    return path[::-1]


def log_partition(emissions, trans):
    alpha = emissions[0]
    for e in emissions[1:]:
        alpha = torch.logsumexp(alpha.unsqueeze(1) + trans + e, 0)
    return alpha.logsumexp(0)
