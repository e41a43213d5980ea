# Each number is an object of its own, whose count of references every worker writes to.

class Numbers(torch.utils.data.Dataset):
    def __init__(self):
        self.data = [n for n in range(24_000_000)]  #! MEM402 warning

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return torch.tensor(self.data[index])


loader = torch.utils.data.DataLoader(Numbers(), batch_size=300, num_workers=18)
for batch in loader:
    print(batch.shape)
