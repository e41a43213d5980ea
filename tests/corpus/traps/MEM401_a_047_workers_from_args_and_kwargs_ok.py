import argparse
import torch
from torchvision import datasets, transforms


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("-j", "--workers", type=int, default=4)
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args()
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    train_kwargs = {"batch_size": args.batch_size}
    test_kwargs = {"batch_size": 1000}
    if use_cuda:
        cuda_kwargs = {"num_workers": 1, "pin_memory": True, "shuffle": True}
        train_kwargs.update(cuda_kwargs)
        test_kwargs.update(cuda_kwargs)
    tf = transforms.ToTensor()
    d1 = datasets.ImageFolder("train", transform=tf)
    d2 = datasets.ImageFolder("val", transform=tf)
    train_loader = torch.utils.data.DataLoader(d1, **train_kwargs)
    test_loader = torch.utils.data.DataLoader(d2, **test_kwargs)
    other = torch.utils.data.DataLoader(d2, batch_size=8, num_workers=args.workers)
    return train_loader, test_loader, other


if __name__ == "__main__":
    main()
