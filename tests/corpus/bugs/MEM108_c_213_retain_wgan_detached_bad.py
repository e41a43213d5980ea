import argparse
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=20)
parser.add_argument("--latent_dim", type=int, default=100)
parser.add_argument("--clip", type=float, default=0.01)
opt = parser.parse_args()

generator = nn.Sequential(nn.Linear(opt.latent_dim, 784), nn.Tanh())
discriminator = nn.Sequential(nn.Linear(784, 128), nn.LeakyReLU(0.2, inplace=True), nn.Linear(128, 1))
dataloader = DataLoader(
    datasets.MNIST("data", transform=transforms.ToTensor()), batch_size=64, shuffle=True, num_workers=4)
optimizer_G = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
optimizer_D = torch.optim.RMSprop(discriminator.parameters(), lr=5e-5)

for epoch in range(opt.n_epochs):
    for i, (imgs, _) in enumerate(dataloader):
        real_imgs = Variable(imgs.view(imgs.size(0), -1))
        optimizer_D.zero_grad()
        z = Variable(torch.randn(imgs.shape[0], opt.latent_dim))
        fake_imgs = generator(z).detach()
        loss_D = -torch.mean(discriminator(real_imgs)) + torch.mean(discriminator(fake_imgs))
        loss_D.backward(retain_graph=True)  #! MEM108
        optimizer_D.step()
        for p in discriminator.parameters():
            p.data.clamp_(-opt.clip, opt.clip)
        if i % 5 == 0:
            optimizer_G.zero_grad()
            loss_G = -torch.mean(discriminator(generator(z)))
            loss_G.backward()
            optimizer_G.step()
