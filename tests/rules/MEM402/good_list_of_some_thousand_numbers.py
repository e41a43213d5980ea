# A few thousand numbers take less than what a worker needs itself.

class Numbers(torch.utils.data.Dataset):
    def __init__(self, count):
        self.order = [n for n in range(50_000)]
        self.rest = [n for n in range(count)]

    def __len__(self):
        return len(self.order)

    def __getitem__(self, index):
        return torch.tensor(self.order[index] + self.rest[index])


loader = torch.utils.data.DataLoader(Numbers(8), batch_size=300, num_workers=18)
for batch in loader:
    print(batch.shape)
