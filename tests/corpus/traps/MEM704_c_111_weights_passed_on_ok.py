import copy

import torch


def fedavg(global_model, clients, rounds, local_train):
    for r in range(rounds):
        collected = []
        for c in clients:
            local = copy.deepcopy(global_model)
            local_train(local, c)
            collected.append(local.state_dict())
        mean = {k: torch.stack([w[k].float() for w in collected]).mean(0) for k in collected[0]}
        global_model.load_state_dict(mean)


def swap(model, ema, evaluate):
    backup = copy.deepcopy(model.state_dict())
    model.load_state_dict(ema.state_dict())
    score = evaluate(model)
    model.load_state_dict(backup)
    return score


def save_all(model, optimizer, epoch, loss, best_loss):
    state = {"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(state, "last.pt")
    if loss < best_loss:
        torch.save(state, "best.pt")
