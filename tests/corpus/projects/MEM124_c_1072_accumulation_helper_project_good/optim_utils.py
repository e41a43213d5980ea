class GradAccumulator:
    def __init__(self, optimizer, steps):
        self.optimizer, self.steps, self.n = optimizer, steps, 0

    def step(self, loss):
        (loss / self.steps).backward()
        self.n += 1
        if self.n % self.steps == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
