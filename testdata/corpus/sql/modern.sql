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

CREATE EVENT TRIGGER log_ddl ON ddl_command_end EXECUTE FUNCTION log_it();

-- Oracle's packages.
CREATE OR REPLACE PACKAGE BODY billing AS
  rate CONSTANT NUMBER := 1.19;

  FUNCTION net(gross NUMBER) RETURN NUMBER IS
    -- rounded
    FUNCTION rounded(n NUMBER) RETURN NUMBER IS BEGIN RETURN ROUND(n, 2); END;
  BEGIN
    RETURN rounded(CASE WHEN gross > 0 THEN gross / rate ELSE 0 END);
  END net;

  -- Nothing for now.
  PROCEDURE close_month(at DATE) AS
    n NUMBER := 0;
  BEGIN
    FOR i IN 1 .. 3 LOOP
      IF n > i THEN n := i; END IF;
    END LOOP;
  END close_month;
END billing;
/

CREATE TABLE stock_items (
  id INT NOT NULL,
  note VARCHAR(20) DEFAULT 'it''s; here'
)
INSERT INTO stock_items VALUES (1, 'a')

CREATE TABLE #temporary (id INT)
DROP TABLE #temporary
GO
