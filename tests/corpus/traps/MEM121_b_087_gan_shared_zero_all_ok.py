import torch


def reset_grad(*opts):
    for o in opts:
        o.zero_grad()


def train(G, D, dl, gopt, dopt):
    for real, in dl:
        z = torch.randn(len(real), 100)
        d_loss = D(G(z).detach()).mean() - D(real).mean()
        reset_grad(gopt, dopt)
        d_loss.backward()
        dopt.step()
        g_loss = -D(G(z)).mean()
        reset_grad(gopt, dopt)
        g_loss.backward()
        gopt.step()


class Solver:
    def reset(self):
        self.G.zero_grad()
        self.D.zero_grad()

    def train(self, dl):
        for x, in dl:
            self.reset()
            loss = self.D(x).mean()
            loss.backward()
            self.d_solver.step()
