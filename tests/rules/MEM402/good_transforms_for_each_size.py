# a list of transforms has an entry for each size that images are given, and not for each sample

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


class Sized(Dataset):
    def __init__(self, images, sizes):
        self.images = torch.as_tensor(images)
        self.image_transforms = []
        for size in sizes:
            row = []
            for scale in (1.0, 0.5):
                row.append(transforms.Compose([transforms.Resize(int(size * scale)), transforms.ToTensor()]))
            self.image_transforms.append(row)

    def __getitem__(self, index):
        number, step, scale = index
        return self.image_transforms[step][scale](self.images[number])

    def __len__(self):
        return len(self.images)


loader = DataLoader(Sized("images", (224, 256)), batch_size=8, num_workers=4)
