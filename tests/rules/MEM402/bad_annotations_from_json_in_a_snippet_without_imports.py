# a part of a script without its imports: `json` can only be the module

class Boxes(torch.utils.data.Dataset):
    def __init__(self, path):
        with open(path) as file:
            self.rows = json.load(file)["annotations"]  #! MEM402 warning

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index]
        return Image.open(row["file_name"]), torch.tensor(row["bbox"])


loader = torch.utils.data.DataLoader(Boxes("train.json"), batch_size=32, num_workers=8)
