-- SQL Server and SQLite.

CREATE TABLE [dbo].[Invoices] (
    [Id] INT IDENTITY(1,1) NOT NULL,
    [Customer Name] NVARCHAR(100) NULL,
    CONSTRAINT [PK_Invoices] PRIMARY KEY CLUSTERED ([Id] ASC)
);
GO

-- Adds one.
CREATE PROCEDURE dbo.AddInvoice
    @customer NVARCHAR(100),
    @id INT OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    INSERT INTO dbo.Invoices ([Customer Name]) VALUES (@customer);
    SET @id = SCOPE_IDENTITY();
END
GO

CREATE OR ALTER FUNCTION dbo.Net(@gross MONEY)
RETURNS MONEY
AS
BEGIN
    RETURN @gross / 1.19;
END;
GO

CREATE VIEW dbo.Unpaid AS
    SELECT Id FROM dbo.Invoices WHERE Paid = 0;
GO

CREATE TABLE notes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  body TEXT
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE search USING fts5(body);

CREATE TRIGGER IF NOT EXISTS notes_added AFTER INSERT ON notes BEGIN
  INSERT INTO search (body) VALUES (new.body);
END;

CREATE INDEX notes_by_body ON notes (body);
