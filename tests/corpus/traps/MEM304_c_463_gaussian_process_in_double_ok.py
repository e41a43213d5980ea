import gpytorch
import torch


class GP(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean = gpytorch.means.ConstantMean()
        self.kernel = gpytorch.kernels.RBFKernel()

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean(x), self.kernel(x))


x = torch.linspace(0, 1, 50, dtype=torch.float64, device="cuda")
likelihood = gpytorch.likelihoods.GaussianLikelihood().double().cuda()
gp = GP(x, torch.sin(x), likelihood).double().cuda()
