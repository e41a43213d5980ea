# deep copies of a GPU model at every improvement and of every epoch

import copy

import torch


def fit(model, loader, evaluate, optimizer):
    model.cuda()
    top, history = 0.0, []
    best_wts = None
    for epoch in range(20):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            optimizer.step()
        acc = evaluate(model)
        if acc > top:
            top = acc
            best_wts = copy.deepcopy(model.state_dict())  #! MEM704 warning
        history.append(copy.deepcopy(model.state_dict()))  #! MEM704 warning
    model.load_state_dict(best_wts)
    return history
