import torch
import torch.nn.functional as F


def meta_train(learner, tasks, meta_opt, epochs):
    for epoch in range(epochs):
        running = []
        for support, query in tasks:
            task_loss = learner.adapt(support)
            query_loss = F.cross_entropy(learner(query[0]), query[1])
            total = query_loss + 0.1 * task_loss
            meta_opt.zero_grad()
            total.backward(retain_graph=True)
            meta_opt.step()
            running.append(total.item())
        print(epoch, sum(running) / len(tasks))
