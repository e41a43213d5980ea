# two optimizers of which one is cleared

def train(self, batches):
    for real in batches:
        fake = self.painter(real)
        self.painter_solver.zero_grad()
        loss = self.judge(fake).mean()
        loss.backward()
        self.painter_solver.step()
        gap = self.judge(real).mean() - self.judge(fake.detach()).mean()
        gap.backward()  #! MEM121 error
        self.judge_solver.step()
