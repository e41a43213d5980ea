# the loader is built by a helper; the dataset reads audio

import librosa
import torch
import torch.utils.data as data


class Clips(data.Dataset):
    def __init__(self, files):
        self.files = files

    def __getitem__(self, index):
        wave, _ = librosa.load(self.files[index], sr=16000)
        return torch.from_numpy(wave)[:16000]

    def __len__(self):
        return len(self.files)


def make_loader(files, batch_size):
    return data.DataLoader(  #! MEM401 warning
        Clips(files),
        batch_size=batch_size,
        shuffle=True,
    )


def train(files):
    net = torch.nn.Linear(16000, 2)
    optim = torch.optim.Adam(net.parameters())
    for wave in make_loader(files, 4):
        loss = net(wave).pow(2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
