# nothing is imported from torch: what is called on the model tells

from harvest.log import log


class Season:
    def __init__(self, model, judge, optim):
        self.model, self.judge, self.optim = model, judge, optim

    def learn(self, feed):
        self.model.train()
        for x, y in feed:
            self.model.zero_grad()
            self.judge.loss(self.model(x), y).backward()
            self.optim.step()

    def validate(self, valid_iter):
        self.model.eval()
        for x, y in valid_iter:
            guess = self.model(x)  #! MEM201 error
            log.add(self.judge.loss(guess, y).item())
