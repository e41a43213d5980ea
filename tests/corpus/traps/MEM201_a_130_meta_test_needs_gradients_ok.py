import torch
import torch.nn.functional as F


def fast_adapt(learner, support, query, steps):
    for _ in range(steps):
        learner.adapt(F.cross_entropy(learner(support[0]), support[1]))
    pred = learner(query[0])
    return F.cross_entropy(pred, query[1]), (pred.argmax(1) == query[1]).float().mean()


def main(maml, tasks, iterations, bsz=32):
    opt = torch.optim.Adam(maml.parameters(), 1e-3)
    for it in range(iterations):
        opt.zero_grad()
        train_err = 0.0
        for _ in range(bsz):
            err, acc = fast_adapt(maml.clone(), *tasks.train.sample(), 1)
            err.backward()
            train_err += err.item()
        for p in maml.parameters():
            p.grad.data.mul_(1.0 / bsz)
        opt.step()
        print(it, train_err / bsz)
    test_acc = 0.0
    for _ in range(bsz):
        err, acc = fast_adapt(maml.clone(), *tasks.test.sample(), 5)
        test_acc += acc.item()
    print(test_acc / bsz)
