import torch


class MTL:
    def __init__(self, model, tasks, lr):
        self.model, self.tasks = model, tasks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.weights = torch.ones(len(tasks))

    def step(self, batch):
        task_losses = []
        for t in self.tasks:
            task_losses.append(t.loss(self.model(batch["x"], task=t.name), batch[t.name]))
        stacked = torch.stack(task_losses)
        self.opt.zero_grad()
        (stacked * self.weights).sum().backward()
        self.opt.step()
        return stacked.detach()

    def fit(self, loader, epochs):
        for e in range(epochs):
            acc = torch.zeros(len(self.tasks))
            for b in loader:
                acc += self.step(b)
            print(e, (acc / len(loader)).tolist())
