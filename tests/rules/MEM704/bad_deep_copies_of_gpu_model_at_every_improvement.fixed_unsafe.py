# deep copies of a GPU model at every improvement and of every epoch

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
            best_wts = {k: v.detach().cpu().clone() for k, v in model.state_dict().items()}
        history.append({k: v.detach().cpu().clone() for k, v in model.state_dict().items()})
    model.load_state_dict(best_wts)
    return history
